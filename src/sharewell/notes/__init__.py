"""Notes: clinical text, one note a record."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.notes.attacks.condition_from_drugs import ConditionFromDrugs
    from sharewell.notes.attacks.note_linkage import NoteLinkage
    from sharewell.notes.attacks.rare_words import RareWords
    from sharewell.notes.attacks.register_search import RegisterSearch
    from sharewell.notes.criteria.concepts_only import ConceptsOnly
    from sharewell.notes.criteria.extracted_values import ExtractedValues
    from sharewell.notes.criteria.k_safe import KSafe
    from sharewell.notes.criteria.no_known_identifiers import NoKnownIdentifiers
    from sharewell.notes.criteria.residual_risk import ResidualRisk
    from sharewell.notes.criteria.safe_harbor import SafeHarborText
    from sharewell.notes.criteria.t_plausible import TPlausible
    from sharewell.notes.data import Notes
    from sharewell.notes.detectors import Detectors
    from sharewell.notes.detectors.plugged import Plugged
    from sharewell.notes.engine.detection_scores import Scores, evaluate
    from sharewell.notes.engine.known_identifiers import Known
    from sharewell.notes.engine.people_tables import People
    from sharewell.notes.engine.spans import Span, compete, tokens
    from sharewell.notes.mechanisms.concept_match import ConceptMatch
    from sharewell.notes.mechanisms.k_safety import KSafety
    from sharewell.notes.mechanisms.pacs import Pacs
    from sharewell.notes.mechanisms.replace import Replace
    from sharewell.notes.mechanisms.t_plausibility import TPlausibility
    from sharewell.notes.utility.clinical_terms_kept import ClinicalTermsKept
    from sharewell.notes.utility.disclosure_risk import DisclosureRisk
    from sharewell.notes.utility.persistence import Persistence

__all__ = [
    "ClinicalTermsKept",
    "ConceptMatch",
    "ConceptsOnly",
    "ConditionFromDrugs",
    "Detectors",
    "DisclosureRisk",
    "ExtractedValues",
    "KSafe",
    "KSafety",
    "Known",
    "NoKnownIdentifiers",
    "NoteLinkage",
    "Notes",
    "Pacs",
    "People",
    "Persistence",
    "Plugged",
    "RareWords",
    "RegisterSearch",
    "Replace",
    "ResidualRisk",
    "SafeHarborText",
    "Scores",
    "Span",
    "TPlausibility",
    "TPlausible",
    "compete",
    "evaluate",
    "tokens",
]

__getattr__ = exporting(
    __name__,
    {
        "ClinicalTermsKept": "sharewell.notes.utility.clinical_terms_kept",
        "ConceptMatch": "sharewell.notes.mechanisms.concept_match",
        "ConceptsOnly": "sharewell.notes.criteria.concepts_only",
        "ConditionFromDrugs": "sharewell.notes.attacks.condition_from_drugs",
        "Detectors": "sharewell.notes.detectors",
        "DisclosureRisk": "sharewell.notes.utility.disclosure_risk",
        "ExtractedValues": "sharewell.notes.criteria.extracted_values",
        "KSafe": "sharewell.notes.criteria.k_safe",
        "KSafety": "sharewell.notes.mechanisms.k_safety",
        "Known": "sharewell.notes.engine.known_identifiers",
        "NoKnownIdentifiers": "sharewell.notes.criteria.no_known_identifiers",
        "NoteLinkage": "sharewell.notes.attacks.note_linkage",
        "Notes": "sharewell.notes.data",
        "Pacs": "sharewell.notes.mechanisms.pacs",
        "People": "sharewell.notes.engine.people_tables",
        "Persistence": "sharewell.notes.utility.persistence",
        "Plugged": "sharewell.notes.detectors.plugged",
        "RareWords": "sharewell.notes.attacks.rare_words",
        "RegisterSearch": "sharewell.notes.attacks.register_search",
        "Replace": "sharewell.notes.mechanisms.replace",
        "ResidualRisk": "sharewell.notes.criteria.residual_risk",
        "SafeHarborText": "sharewell.notes.criteria.safe_harbor",
        "Scores": "sharewell.notes.engine.detection_scores",
        "Span": "sharewell.notes.engine.spans",
        "TPlausibility": "sharewell.notes.mechanisms.t_plausibility",
        "TPlausible": "sharewell.notes.criteria.t_plausible",
        "compete": "sharewell.notes.engine.spans",
        "evaluate": "sharewell.notes.engine.detection_scores",
        "tokens": "sharewell.notes.engine.spans",
    },
)
