//! The verdicts: how grave each kind of change is, and the words for it.

use super::{Category, ChangeType, Severity};
use crate::domain::skeleton::{ExportSymbol, SymbolKind};

/// Every kind of change there is. What is not here is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Judged {
    Removed,
    Renamed,
    /// It is still there, and not under a name that users had for it.
    PathGone,
    OverloadRemoved,
    ReExportRemoved,
    NamespaceRemoved,
    KindChanged,
    VisibilityReduced,
    MemberRemoved,
    MemberRenamed,
    EnumMemberRemoved,
    ParameterRemoved,
    ReturnTypeChanged,
    MemberTypeChanged,
    InheritanceRemoved,
    MadeStricter,
    /// A member that implementors or callers must have.
    RequiredMemberAdded,
    /// Whoever implements it must be something more.
    DemandAdded,
    AsyncChanged,
    /// Before others, so that what follows is given to another one.
    ParameterInserted,
    EntryChanged,
    GuardRemoved,
    /// What was let in only where it held something.
    CheckRemoved,

    RequiredParameterAdded,
    ParameterTypeChanged,
    ParameterOrderChanged,
    ParameterRequired,
    AliasBodyChanged,
    /// What is said to be returned or held, where nothing enforces it.
    HintChanged,
    MemberOptionalityChanged,
    ConstantTypeChanged,
    TypeParametersChanged,
    BoundsChanged,
    SignatureChanged,
    /// Callers name their arguments.
    KeywordRenamed,
    /// An argument that has to be given by its name now.
    PlaceLost,
    /// An argument that has to be given by its place now.
    NameLost,
    /// Matches that named all of them no longer do.
    VariantAdded,
    /// Values that were written out with all of their fields no longer are.
    FieldAdded,
    EnumValueChanged,
    /// What is taken where nothing is given.
    FieldDefaultChanged,
    GuardAdded,
    Closed,
    ConditionAdded,
    /// A form in which a macro could be called.
    ArmRemoved,
    /// Another library declares it now.
    FromElsewhere,
    /// It may no longer be sent to another thread, or shared with one.
    BoundToThread,
    /// The same type, made of others.
    BaseChanged,
    LayoutChanged,

    Added,
    MemberAdded,
    Moved,
    OptionalParameterAdded,
    /// Of a function that is kept or returned.
    OptionalArgumentsAdded,
    TypeParametersOptional,
    ParameterOptional,
    ParameterRenamed,
    /// It is one of any number of arguments now.
    ParameterTaken,
    /// By its place and by its name, where it was one of them.
    GivenFreely,
    DefaultChanged,
    ValueChanged,
    AsyncWritten,
    ParameterWidened,
    ReturnNarrowed,
    BindingChanged,
    /// What was declared here is another name for something else.
    Aliased,
    BodyChanged,
    VisibilityWidened,
    InheritanceAdded,
    AnnotationChanged,
    /// The same type, said in more detail.
    HintRefined,
    DecoratorsChanged,
    ModifiersChanged,
    ReExportSourceChanged,
}

/// Which change the removal of a symbol is.
pub(super) fn removal(symbol: &ExportSymbol) -> Judged {
    match symbol.kind {
        SymbolKind::ReExport => Judged::ReExportRemoved,
        SymbolKind::Namespace | SymbolKind::Module => Judged::NamespaceRemoved,
        _ if symbol.overload.is_some() => Judged::OverloadRemoved,
        _ => Judged::Removed,
    }
}

/// What the sentences are made of.
pub(super) struct Words<'a> {
    pub(super) symbol: &'a str,
    pub(super) kind: &'a str,
    pub(super) subject: &'a str,
    pub(super) old: Option<&'a str>,
    pub(super) new: Option<&'a str>,
    pub(super) new_name: String,
    pub(super) old_file: &'a str,
    pub(super) new_file: &'a str,
}

impl Judged {
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Removed
            | Self::Renamed
            | Self::PathGone
            | Self::OverloadRemoved
            | Self::ReExportRemoved
            | Self::NamespaceRemoved
            | Self::KindChanged
            | Self::VisibilityReduced
            | Self::MemberRemoved
            | Self::MemberRenamed
            | Self::EnumMemberRemoved
            | Self::ParameterRemoved
            | Self::ReturnTypeChanged
            | Self::MemberTypeChanged
            | Self::InheritanceRemoved
            | Self::MadeStricter
            | Self::RequiredMemberAdded
            | Self::DemandAdded
            | Self::AsyncChanged
            | Self::ParameterInserted
            | Self::EntryChanged
            | Self::GuardRemoved
            | Self::CheckRemoved => Severity::High,
            Self::RequiredParameterAdded
            | Self::ParameterTypeChanged
            | Self::ParameterOrderChanged
            | Self::ParameterRequired
            | Self::AliasBodyChanged
            | Self::HintChanged
            | Self::MemberOptionalityChanged
            | Self::ConstantTypeChanged
            | Self::TypeParametersChanged
            | Self::BoundsChanged
            | Self::SignatureChanged
            | Self::KeywordRenamed
            | Self::PlaceLost
            | Self::NameLost
            | Self::VariantAdded
            | Self::FieldAdded
            | Self::EnumValueChanged
            | Self::FieldDefaultChanged
            | Self::GuardAdded
            | Self::Closed
            | Self::ConditionAdded
            | Self::ArmRemoved
            | Self::BaseChanged
            | Self::BoundToThread
            | Self::FromElsewhere
            | Self::LayoutChanged => Severity::Medium,
            Self::Added
            | Self::MemberAdded
            | Self::Moved
            | Self::OptionalParameterAdded
            | Self::OptionalArgumentsAdded
            | Self::TypeParametersOptional
            | Self::ParameterOptional
            | Self::ParameterRenamed
            | Self::ParameterTaken
            | Self::GivenFreely
            | Self::DefaultChanged
            | Self::ValueChanged
            | Self::AsyncWritten
            | Self::ParameterWidened
            | Self::ReturnNarrowed
            | Self::BindingChanged
            | Self::Aliased
            | Self::BodyChanged
            | Self::VisibilityWidened
            | Self::InheritanceAdded
            | Self::AnnotationChanged
            | Self::HintRefined
            | Self::DecoratorsChanged
            | Self::ModifiersChanged
            | Self::ReExportSourceChanged => Severity::Low,
        }
    }

    pub(super) fn category(self) -> Category {
        match self {
            Self::BodyChanged
            | Self::ValueChanged
            | Self::EnumValueChanged
            | Self::FieldDefaultChanged
            | Self::DefaultChanged
            | Self::AsyncChanged
            | Self::AsyncWritten => Category::Behavior,
            Self::BoundsChanged
            | Self::MadeStricter
            | Self::DemandAdded
            | Self::GuardRemoved
            | Self::CheckRemoved
            | Self::GuardAdded
            | Self::ConditionAdded
            | Self::BoundToThread
            | Self::Closed => Category::Constraint,
            _ => Category::Interface,
        }
    }

    pub(super) fn change_type(self) -> ChangeType {
        match self {
            Self::Removed
            | Self::OverloadRemoved
            | Self::ReExportRemoved
            | Self::NamespaceRemoved
            | Self::MemberRemoved
            | Self::EnumMemberRemoved
            | Self::ParameterRemoved
            | Self::ArmRemoved
            | Self::InheritanceRemoved => ChangeType::Removal,
            Self::Added
            | Self::MemberAdded
            | Self::RequiredParameterAdded
            | Self::OptionalParameterAdded
            | Self::ParameterInserted
            | Self::RequiredMemberAdded
            | Self::VariantAdded
            | Self::FieldAdded
            | Self::DemandAdded
            | Self::InheritanceAdded => ChangeType::Addition,
            _ => ChangeType::Modification,
        }
    }

    pub(super) fn description(self, words: &Words<'_>) -> String {
        let Words { symbol, kind, subject, .. } = words;
        let from = words.old.unwrap_or("nothing");
        let to = words.new.unwrap_or("nothing");
        match self {
            Self::Removed | Self::NamespaceRemoved => {
                format!("The {kind} `{symbol}` is gone")
            }
            Self::Renamed => format!("`{symbol}` is now called `{}`", words.new_name),
            Self::PathGone => match words.new {
                Some(new) => format!("`{symbol}` is no longer reached as `{from}`, but as `{new}`"),
                None => format!("`{symbol}` is no longer reached as `{from}`"),
            },
            Self::OverloadRemoved => format!("An overload of `{symbol}` is gone: `{from}`"),
            Self::ReExportRemoved => format!("`{symbol}` is no longer re-exported"),
            Self::KindChanged => format!("`{symbol}` was a {from} and is a {to}"),
            Self::VisibilityReduced
            | Self::VisibilityWidened
            | Self::MemberOptionalityChanged
            | Self::AsyncChanged
            | Self::AsyncWritten => format!("`{symbol}` was {from} and is {to}"),
            Self::MemberRemoved => format!("The member `{symbol}` is gone"),
            Self::MemberRenamed => format!("The member `{symbol}` is now called `{subject}`"),
            Self::EnumMemberRemoved => format!("The value `{symbol}` is gone"),
            Self::ParameterRemoved => format!("`{symbol}` no longer takes `{subject}`"),
            Self::ReturnTypeChanged => format!("`{symbol}` returned `{from}` and returns `{to}`"),
            Self::MemberTypeChanged => format!("The type of `{symbol}` was `{from}` and is `{to}`"),
            Self::InheritanceRemoved => format!("`{symbol}` is no longer a `{subject}`"),
            Self::BoundToThread => {
                format!("`{symbol}` holds `{to}`, which keeps it to one thread")
            }
            Self::FromElsewhere => {
                format!("`{symbol}` is no longer declared here, but another library's: `{to}`")
            }
            Self::ArmRemoved => format!("`{symbol}` can no longer be called in that form"),
            Self::Aliased => format!("`{symbol}` is another name for `{to}` now"),
            Self::MadeStricter => format!("`{symbol}` is now {subject}"),
            Self::RequiredMemberAdded => {
                format!(
                    "The member `{symbol}` is new, and has to be there wherever its type is implemented or written out"
                )
            }
            Self::DemandAdded => {
                format!("Whatever is a `{symbol}` now has to be a `{subject}` too")
            }
            Self::ParameterInserted => {
                format!(
                    "`{symbol}` now also takes `{subject}`, before others, which change their position"
                )
            }
            Self::EntryChanged => {
                format!("How `{symbol}` is reached from outside was `{from}` and is `{to}`")
            }
            Self::GuardRemoved => {
                format!("`{symbol}` is no longer guarded by `{from}`: it is `{to}`")
            }
            Self::GuardAdded => format!("`{symbol}` is now guarded by `{to}`"),
            Self::ConditionAdded => format!("`{symbol}` is there only under `{to}`"),
            Self::Closed => {
                format!("`{symbol}` can no longer be matched or written out as a whole elsewhere")
            }
            Self::LayoutChanged => format!("The layout of `{symbol}` was `{from}` and is `{to}`"),
            Self::VariantAdded => {
                format!(
                    "The value `{symbol}` is new: a match that named all of them no longer does"
                )
            }
            Self::FieldAdded => {
                format!(
                    "The field `{symbol}` is new: its type can no longer be written out without it"
                )
            }
            Self::CheckRemoved => {
                format!("`{subject}` of `{symbol}` is no longer held to `{from}`")
            }
            Self::EnumValueChanged | Self::FieldDefaultChanged => {
                format!("The value of `{symbol}` was `{from}` and is `{to}`")
            }
            Self::KeywordRenamed => {
                format!(
                    "The parameter `{from}` of `{symbol}`, which callers may name, is now called `{to}`"
                )
            }
            Self::ParameterWidened => {
                format!("`{subject}` of `{symbol}` may be more than it was: `{from}` became `{to}`")
            }
            Self::ReturnNarrowed => {
                format!("`{symbol}` returns less than it might have: `{from}` became `{to}`")
            }
            Self::RequiredParameterAdded => format!("`{symbol}` now requires `{subject}`"),
            Self::ParameterTypeChanged => {
                format!("The type of `{subject}` in `{symbol}` was `{from}` and is `{to}`")
            }
            Self::ParameterOrderChanged => {
                format!("The parameters of `{symbol}` are in another order")
            }
            Self::ParameterRequired => {
                format!("`{subject}` of `{symbol}` can no longer be left out")
            }
            Self::HintChanged => match *subject {
                "what it returns" => {
                    format!("`{symbol}` is said to return `{to}` instead of `{from}`")
                }
                _ => format!("`{symbol}` is said to be `{to}` instead of `{from}`"),
            },
            Self::AliasBodyChanged => format!("`{symbol}` stands for another type"),
            Self::ConstantTypeChanged => {
                format!("The type of `{symbol}` was `{from}` and is `{to}`")
            }
            Self::TypeParametersChanged => format!("The type parameters of `{symbol}` changed"),
            Self::BoundsChanged => format!("The bounds of `{symbol}` changed"),
            Self::SignatureChanged => format!("The signature of `{symbol}` changed"),
            Self::Added => format!("The {kind} `{symbol}` is new"),
            Self::MemberAdded => format!("The member `{symbol}` is new"),
            Self::Moved => {
                format!("`{symbol}` moved from {} to {}", words.old_file, words.new_file)
            }
            Self::OptionalParameterAdded => format!("`{symbol}` now also takes `{subject}`"),
            Self::TypeParametersOptional => {
                format!("Type parameters of `{symbol}` may now be left out")
            }
            Self::OptionalArgumentsAdded => {
                format!("What `{symbol}` gives may now be called with more: `{from}` became `{to}`")
            }
            Self::PlaceLost => {
                format!("`{subject}` of `{symbol}` can no longer be given by its place")
            }
            Self::NameLost => {
                format!("`{subject}` of `{symbol}` can no longer be given by its name")
            }
            Self::ParameterTaken => {
                format!("`{subject}` of `{symbol}` is one of any number of arguments now")
            }
            Self::GivenFreely => {
                format!("`{subject}` of `{symbol}` may now be given by its place or its name")
            }
            Self::ParameterOptional => format!("`{subject}` of `{symbol}` may now be left out"),
            Self::ParameterRenamed => {
                format!("The parameter `{from}` of `{symbol}` is now called `{to}`")
            }
            Self::DefaultChanged => {
                format!("The default of `{subject}` in `{symbol}` was `{from}` and is `{to}`")
            }
            Self::ValueChanged => format!("The value of `{symbol}` changed"),
            Self::BaseChanged | Self::BindingChanged => {
                format!("`{symbol}` was a `{from}` and is a `{to}`")
            }
            Self::BodyChanged => format!("The body of `{symbol}` changed"),
            Self::InheritanceAdded => format!("`{symbol}` is now a `{subject}` too"),
            Self::HintRefined => {
                format!("A type of `{symbol}` is said in more detail: `{from}` became `{to}`")
            }
            Self::AnnotationChanged => {
                let whose = match *subject {
                    "its own" => format!("`{symbol}`"),
                    "what it returns" => format!("what `{symbol}` returns"),
                    part => format!("`{part}` in `{symbol}`"),
                };
                match (words.old, words.new) {
                    (None, Some(new)) => format!("The type of {whose} is written out now: `{new}`"),
                    _ => format!("The type of {whose} is no longer written out"),
                }
            }
            Self::DecoratorsChanged => format!("What is attached to `{symbol}` changed"),
            Self::ModifiersChanged => format!("The modifiers of `{symbol}` changed"),
            Self::ReExportSourceChanged => {
                format!("`{symbol}` is re-exported from `{to}` instead of `{from}`")
            }
        }
    }

    pub(super) fn proposal(self, words: &Words<'_>) -> String {
        let symbol = words.symbol;
        match (self.change_type(), self.category()) {
            (ChangeType::Removal, _) => {
                format!("Take `{symbol}` out of the interface, or restore it in the code.")
            }
            (ChangeType::Addition, _) => format!("Describe the addition to `{symbol}`."),
            (_, Category::Behavior) => {
                format!("Check whether what is said about the behaviour of `{symbol}` still holds.")
            }
            _ => match words.new {
                Some(new) if new.len() <= 200 => format!("Describe `{symbol}` as `{new}`."),
                _ => format!("Describe `{symbol}` as it is now."),
            },
        }
    }
}
