//! One node of the graph and the ways from it to others: all that tools see of the graph.

mod lookup;

use super::coverage::Metrics;
use super::item::{Cite, Item, ItemKind};
use super::{File, TraceGraph};
use crate::domain::hash;
use crate::domain::parse::{Assertion, EdgeKind, FieldName, Form, Journey, Outcome};
use crate::domain::span::{Label, Span};
pub(crate) use lookup::Nodes;
pub(super) use lookup::find;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum NodeKind {
    Requirement,
    Assertion,
    Code,
    Test,
    Result,
    Journey,
    File,
    Remainder,
}

impl NodeKind {
    pub(crate) const ALL: [Self; 8] = [
        Self::Requirement,
        Self::Assertion,
        Self::Code,
        Self::Test,
        Self::Result,
        Self::Journey,
        Self::File,
        Self::Remainder,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Requirement => "requirement",
            Self::Assertion => "assertion",
            Self::Code => "code",
            Self::Test => "test",
            Self::Result => "result",
            Self::Journey => "journey",
            Self::File => "file",
            Self::Remainder => "remainder",
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Node<'g> {
    graph: &'g TraceGraph,
    at: At,
}

/// What tells nodes apart, without spelling out their ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeKey(At);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Item(Item),
    Assertion(Item, u32),
    Outcome(u32, u32),
    File(u32),
    Remainder(u32, u32),
}

/// A link from a node to one of its children.
#[derive(Clone)]
pub(crate) struct Edge<'g> {
    pub(crate) kind: EdgeKind,
    /// The node at the other end.
    pub(crate) node: Node<'g>,
    pub(crate) assertion_targets: Vec<Label>,
}

impl<'g> Node<'g> {
    pub(super) fn of_item(graph: &'g TraceGraph, item: Item) -> Option<Self> {
        graph.file(item.file)?;
        Some(Self { graph, at: At::Item(item) })
    }

    pub(crate) fn kind(&self) -> NodeKind {
        match self.at {
            At::Item(item) => match item.kind {
                ItemKind::Requirement => NodeKind::Requirement,
                ItemKind::Journey => NodeKind::Journey,
                ItemKind::Code => NodeKind::Code,
                ItemKind::Test => NodeKind::Test,
            },
            At::Assertion(..) => NodeKind::Assertion,
            At::Outcome(..) => NodeKind::Result,
            At::File(_) => NodeKind::File,
            At::Remainder(..) => NodeKind::Remainder,
        }
    }

    pub(crate) fn key(&self) -> NodeKey {
        NodeKey(self.at)
    }

    pub(crate) fn id(&self) -> String {
        match self.at {
            At::Item(item) => self.graph.id_of(item).to_owned(),
            At::Assertion(item, _) => {
                let label = self.assertion().map(|it| it.label);
                let id = self.graph.id_of(item);
                label.map_or_else(String::new, |label| self.graph.grammar.assertion_id(id, label))
            }
            At::Outcome(_, nth) => format!("result:{}:{}", self.path(), nth + 1),
            At::File(_) => format!("file:{}", self.path()),
            At::Remainder(..) => format!("rem:{}:{}", self.path(), self.line()),
        }
    }

    fn file_index(&self) -> u32 {
        match self.at {
            At::Item(item) | At::Assertion(item, _) => item.file,
            At::Outcome(file, _) | At::File(file) | At::Remainder(file, _) => file,
        }
    }

    pub(crate) fn file(&self) -> Option<&'g File> {
        self.graph.file(self.file_index())
    }

    /// The other repository it lies in.
    pub(crate) fn repository(&self) -> Option<&'g str> {
        self.file()?.repository.as_deref()
    }

    pub(crate) fn path(&self) -> &'g str {
        self.file().map_or("", |file| &*file.path)
    }

    pub(crate) fn line(&self) -> u32 {
        let contents = self.file().map(|file| &file.contents);
        match self.at {
            At::Item(item) => self.file().map_or(1, |file| file.line_of(item)),
            At::Assertion(..) => self.assertion().map_or(1, |it| it.line),
            At::Remainder(_, nth) => {
                contents.and_then(|it| it.remainders.get(nth as usize)).map_or(1, |it| it.line)
            }
            At::Outcome(..) | At::File(_) => 1,
        }
    }

    /// What nodes are put in order by.
    pub(crate) fn place(&self) -> (&'g str, u32, String) {
        (self.path(), self.line(), self.id())
    }

    fn assertion(&self) -> Option<&'g Assertion> {
        let At::Assertion(item, nth) = self.at else { return None };
        self.graph.requirement(item)?.assertions.get(nth as usize)
    }

    fn item(&self) -> Option<Item> {
        match self.at {
            At::Item(item) => Some(item),
            _ => None,
        }
    }

    /// How a requirement is written.
    pub(crate) fn form(&self) -> Option<Form> {
        Some(self.graph.requirement(self.item()?)?.form)
    }

    /// Whether it has no assertions but counts as one.
    pub(crate) fn stands_alone(&self) -> bool {
        let requirement = self.item().and_then(|it| self.graph.requirement(it));
        requirement.is_some_and(|it| it.form.stands_alone() && it.assertions.is_empty())
    }

    /// Its record, where it is something that can cite.
    pub(crate) fn citing_item(&self) -> Option<Item> {
        self.item()
    }

    /// Bytes of the file it takes up.
    pub(crate) fn span(&self) -> Option<Span> {
        let file = self.file()?;
        match self.at {
            At::Item(item) if item.kind == ItemKind::Requirement => {
                self.graph.requirement(item).map(|it| it.block)
            }
            At::Item(item) if item.kind == ItemKind::Journey => {
                file.contents.journeys.get(item.index as usize).map(|it| it.block)
            }
            At::Item(item) => {
                let tokens: Vec<Span> = file.citations(item).iter().map(|it| it.token).collect();
                Some(Span {
                    start: tokens.iter().map(|it| it.start).min()?,
                    end: tokens.iter().map(|it| it.end).max()?,
                })
            }
            At::Assertion(..) => {
                let assertion = self.assertion()?;
                Some(Span { start: assertion.label_span.start, end: assertion.text.end })
            }
            At::Remainder(_, nth) => file.contents.remainders.get(nth as usize).map(|it| it.span),
            At::File(_) => Some(Span::new(0, file.text.len())),
            At::Outcome(..) => None,
        }
    }

    /// What it is called: a title, the wording of an assertion, a path; empty where there is none.
    pub(crate) fn title(&self) -> &'g str {
        let Some(file) = self.file() else { return "" };
        match self.at {
            At::Item(item) => match item.kind {
                ItemKind::Requirement => {
                    self.graph.requirement(item).map_or("", |it| it.title_in(&file.text))
                }
                ItemKind::Journey => self.journey().map_or("", |it| it.title.of(&file.text)),
                ItemKind::Code | ItemKind::Test => self.name().unwrap_or_default(),
            },
            At::Assertion(..) => self.body(),
            At::Outcome(..) => self.outcome().map_or("", |it| &*it.name),
            At::File(_) => &file.path,
            At::Remainder(..) => "",
        }
    }

    /// Its text in the file, without what is said by other means; the wording of an assertion.
    pub(crate) fn body(&self) -> &'g str {
        let Some(file) = self.file() else { return "" };
        let text = &*file.text;
        match self.at {
            At::Item(item) => match item.kind {
                ItemKind::Requirement => {
                    self.graph.requirement(item).map_or("", |it| it.body.of(text))
                }
                ItemKind::Journey => self.journey().map_or("", |it| it.block.of(text)),
                ItemKind::Code | ItemKind::Test => "",
            },
            At::Assertion(..) => self.assertion().map_or("", |it| it.text.of(text)),
            At::Remainder(_, nth) => {
                let remainder = file.contents.remainders.get(nth as usize);
                remainder.map_or("", |it| it.span.of(text).trim_end())
            }
            At::Outcome(..) | At::File(_) => "",
        }
    }

    /// The function or type that a comment or test belongs to.
    pub(crate) fn name(&self) -> Option<&'g str> {
        let item = self.item()?;
        let contents = &self.file()?.contents;
        let mentions = match item.kind {
            ItemKind::Code => &contents.codes,
            ItemKind::Test => &contents.tests,
            ItemKind::Requirement | ItemKind::Journey => return None,
        };
        mentions.get(item.index as usize)?.name.as_deref()
    }

    /// The label of an assertion.
    pub(crate) fn label(&self) -> Option<Label> {
        self.assertion().map(|it| it.label)
    }

    /// The level of a requirement as it is written, or what its id's letter stands for.
    pub(crate) fn level(&self) -> &'g str {
        let Some(item) = self.item().filter(|it| it.kind == ItemKind::Requirement) else {
            return "";
        };
        let written = self.graph.field_of(item, FieldName::Level).filter(|it| !it.is_empty());
        written.unwrap_or_else(|| self.graph.level_of(item))
    }

    /// The status of a requirement, or what a test run said.
    pub(crate) fn status(&self) -> &'g str {
        match self.at {
            At::Item(item) if item.kind == ItemKind::Requirement => self.graph.status_of(item),
            At::Outcome(..) => self.outcome().map_or("", |it| it.status.as_str()),
            _ => "",
        }
    }

    /// The hash in a requirement's footer; a placeholder does not count.
    pub(crate) fn hash(&self) -> Option<&'g str> {
        hash::stored(self.graph.requirement(self.item()?)?, &self.file()?.text)
    }

    fn journey(&self) -> Option<&'g Journey> {
        let item = self.item().filter(|it| it.kind == ItemKind::Journey)?;
        self.file()?.contents.journeys.get(item.index as usize)
    }

    fn outcome(&self) -> Option<&'g Outcome> {
        let At::Outcome(_, nth) = self.at else { return None };
        self.file()?.contents.outcomes.get(nth as usize)
    }

    /// Coverage as it stands; `None` for what has none.
    pub(crate) fn metrics(&self) -> Option<&'g Metrics> {
        let item = self.item().filter(|item| item.kind == ItemKind::Requirement)?;
        let sym = self.file()?.sym_of(item)?;
        Some(&self.graph.index.entries[sym as usize].metrics)
    }

    pub(crate) fn is_root(&self) -> bool {
        let Some(item) = self.item() else { return false };
        let sym = self.file().and_then(|it| it.sym_of(item));
        sym.is_some_and(|sym| self.graph.index.entries[sym as usize].share.is_root)
    }

    /// Whether the hash in the footer fits the text, by any of the rules; `None` without a hash.
    pub(crate) fn hash_matches(&self) -> Option<bool> {
        let requirement = self.graph.requirement(self.item()?)?;
        let text = &*self.file()?.text;
        let stored = hash::stored(requirement, text)?;
        Some(hash::rule_of(requirement, text, stored, self.graph.config.hash).is_some())
    }

    /// An assertion that was withdrawn.
    pub(crate) fn is_retired(&self) -> bool {
        self.assertion().is_some_and(|it| it.retired)
    }

    /// Links to what this node contains and to what cites it.
    pub(crate) fn iter_outgoing_edges(&self) -> Box<dyn Iterator<Item = Edge<'g>> + 'g> {
        let graph = self.graph;
        let contains = move |at| Edge {
            kind: EdgeKind::Contains,
            node: Node { graph, at },
            assertion_targets: Vec::new(),
        };
        match self.at {
            At::Item(item) if matches!(item.kind, ItemKind::Requirement | ItemKind::Journey) => {
                let assertions = graph.requirement(item).map_or(0, |it| it.assertions.len());
                let assertions = (0..u32::try_from(assertions).unwrap_or(0))
                    .map(move |nth| contains(At::Assertion(item, nth)));
                let id = graph.id_of(item);
                let citing = graph
                    .citations_of(id)
                    .filter_map(move |(cite, _, citation)| edge(graph, cite, citation));
                Box::new(assertions.chain(citing).chain(outcomes(graph, item)))
            }
            At::Item(item) if item.kind == ItemKind::Test => Box::new(outcomes(graph, item)),
            At::File(idx) => {
                let Some(file) = self.file() else { return Box::new(std::iter::empty()) };
                let loose = (0..u32::try_from(file.contents.remainders.len()).unwrap_or(0))
                    .map(move |nth| contains(At::Remainder(idx, nth)));
                let outcomes = (0..u32::try_from(file.contents.outcomes.len()).unwrap_or(0))
                    .map(move |nth| contains(At::Outcome(idx, nth)));
                let items = file.items(idx).filter(move |item| is_active(graph, *item));
                Box::new(
                    items.map(move |item| contains(At::Item(item))).chain(loose).chain(outcomes),
                )
            }
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Links from what this node cites.
    pub(crate) fn iter_incoming_edges(&self) -> Box<dyn Iterator<Item = Edge<'g>> + 'g> {
        let graph = self.graph;
        match self.at {
            At::Item(item) => {
                let Some(file) = self.file() else { return Box::new(std::iter::empty()) };
                Box::new(file.citations(item).iter().filter_map(move |citation| {
                    let (target, labels) = graph.resolve(citation).0?;
                    Some(Edge {
                        kind: citation.kind,
                        node: Node::of_item(graph, target)?,
                        assertion_targets: labels,
                    })
                }))
            }
            At::Assertion(item, _) => {
                Box::new(Node::of_item(graph, item).into_iter().map(|node| Edge {
                    kind: EdgeKind::Contains,
                    node,
                    assertion_targets: Vec::new(),
                }))
            }
            At::Outcome(file, nth) => {
                let test =
                    graph.verdicts.test_of((file, nth)).and_then(|it| Node::of_item(graph, it));
                Box::new(test.into_iter().map(|node| Edge {
                    kind: EdgeKind::Yields,
                    node,
                    assertion_targets: Vec::new(),
                }))
            }
            At::File(_) => Box::new(std::iter::empty()),
            At::Remainder(idx, _) => Box::new(std::iter::once(Edge {
                kind: EdgeKind::Contains,
                node: Node { graph, at: At::File(idx) },
                assertion_targets: Vec::new(),
            })),
        }
    }

    pub(crate) fn iter_children(&self) -> impl Iterator<Item = Node<'g>> + use<'g> {
        self.iter_outgoing_edges().map(|edge| edge.node)
    }

    /// Requirements that cite this one, each as often as it does.
    pub(crate) fn requirements_below(&self) -> impl Iterator<Item = Node<'g>> + use<'g> {
        let (graph, own) = (self.graph, self.item());
        let sym = own.and_then(|it| graph.file(it.file)?.sym_of(it));
        graph.citations_at(sym).filter_map(move |(cite, _, citation)| {
            let is_one = cite.item.kind == ItemKind::Requirement && graph.leads_to(own?, citation);
            is_one.then(|| Node::of_item(graph, cite.item)).flatten()
        })
    }

    pub(crate) fn iter_parents(&self) -> impl Iterator<Item = Node<'g>> + use<'g> {
        self.iter_incoming_edges().map(|edge| edge.node)
    }
}

/// Links to what runs say of a test, or people of a journey.
fn outcomes(graph: &TraceGraph, item: Item) -> impl Iterator<Item = Edge<'_>> {
    graph.verdicts.outcomes_of(item).iter().map(move |(file, nth)| Edge {
        kind: EdgeKind::Yields,
        node: Node { graph, at: At::Outcome(*file, *nth) },
        assertion_targets: Vec::new(),
    })
}

fn edge<'g>(
    graph: &'g TraceGraph,
    cite: Cite,
    citation: &crate::domain::parse::Citation,
) -> Option<Edge<'g>> {
    let (_, labels) = graph.resolve(citation).0?;
    Some(Edge {
        kind: citation.kind,
        node: Node::of_item(graph, cite.item)?,
        assertion_targets: labels,
    })
}

fn is_active(graph: &TraceGraph, item: Item) -> bool {
    match item.kind {
        ItemKind::Requirement | ItemKind::Journey => graph.counts(graph.id_of(item), item),
        ItemKind::Code | ItemKind::Test => true,
    }
}
