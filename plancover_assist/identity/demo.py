"""Who lives in the demo: two invented employers, their people and the staff who look after them.

Plain data without Django, so that `make run` can print the sign-ins. The names are part of docs' contract.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoTenant:
    """An invented employer."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class DemoUser:
    """Somebody who can sign in; `member_id` is their id at the record system, empty for staff."""

    username: str
    first_name: str
    last_name: str
    role: str
    tenant: str | None = None
    member_id: str = ""

    @property
    def password(self) -> str:
        return f"demo-{self.username}"


DEMO_TENANTS = (
    DemoTenant("ten_a", "Kaveri Software Services"),
    DemoTenant("ten_b", "Bhatti Precision Castings"),
)

DEMO_USERS = (
    DemoUser("member-a1", "Asha", "Raman", "member", "ten_a", "mem_a1"),
    DemoUser("member-a2", "Imran", "Qureshi", "member", "ten_a", "mem_a2"),
    DemoUser("member-b1", "Sunita", "Devi", "member", "ten_b", "mem_b1"),
    DemoUser("hr-a", "Neha", "Kulkarni", "hr_admin", "ten_a"),
    DemoUser("staff-1", "Joseph", "Mathew", "claims_staff"),
    DemoUser("lead-1", "Farah", "Khan", "lead"),
    DemoUser("auditor-1", "Vikram", "Sethi", "auditor"),
    DemoUser("operator-1", "Meena", "Iyer", "operator"),
)
