"""Who asks, and whose documents they may see."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from plancover_assist.identity.context import AuthContext, TenantScope, auth_context
from plancover_assist.identity.models import Role
from plancover_assist.identity.tests.factories import StaffFactory, TenantFactory, UserFactory


class TestATenantScope:
    def test_of_a_visitor_holds_public_papers_only(self) -> None:
        scope = TenantScope()
        assert scope.visible == ("public",)
        assert not scope.may_see("ten_a")

    def test_of_a_member_holds_their_own_and_the_public_papers(self) -> None:
        scope = TenantScope("ten_a")
        assert scope.visible == ("ten_a", "public")
        assert scope.may_see("ten_a")
        assert scope.may_see("public")
        assert not scope.may_see("ten_b")


@pytest.mark.django_db
class TestAnAuthContext:
    def test_carries_what_a_signed_in_member_is(self) -> None:
        member = UserFactory.create(tenant=TenantFactory.create(id="ten_a"), member_id="M-7")
        auth = auth_context(member)
        assert (auth.user_id, auth.tenant_id, auth.member_id) == (member.pk, "ten_a", "M-7")
        assert auth.signed_in
        assert auth.scope == TenantScope("ten_a")

    def test_of_an_inactive_user_is_a_visitors(self) -> None:
        gone = UserFactory.create(is_active=False)
        assert auth_context(gone, visitor_key="browser") == AuthContext(visitor_key="browser")

    def test_of_nobody_is_a_visitors(self) -> None:
        assert not auth_context(AnonymousUser()).signed_in

    def test_of_staff_sees_no_employers_papers(self) -> None:
        auth = auth_context(StaffFactory.create())
        assert auth.is_staff
        assert auth.scope.visible == ("public",)

    def test_shows_no_handle_and_no_member_id_when_printed(self) -> None:
        member = UserFactory.create(member_id="M-SECRET", credential_ref="ref-SECRET")
        assert "SECRET" not in repr(auth_context(member))


@pytest.mark.django_db
class TestAUser:
    @pytest.mark.parametrize("role", [Role.MEMBER, Role.HR_ADMIN])
    def test_who_is_member_or_hr_cannot_be_stored_without_a_tenant(self, role: Role) -> None:
        with pytest.raises(IntegrityError, match="member_and_hr_belong_to_a_tenant"), transaction.atomic():
            UserFactory.create(role=role, tenant=None)
