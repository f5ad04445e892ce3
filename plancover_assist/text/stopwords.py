"""English function words that say nothing about a topic.

Negations (no, not, without) and amounts (all, more, most) are left out on purpose: in cover
questions they carry meaning. The list holds no Hindi, because Hindi questions lose without theirs.
"""

ENGLISH_STOP_WORDS = frozenset(
    """
    a an the this that these those
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    am is are was were be been being do does did doing done have has had having
    can could will would shall should may might must
    and or but if then than so as because while
    of in on at by to from for with about into onto upon over under between through during
    what which who whom whose when where why how
    there here s t
    """.split()
)
