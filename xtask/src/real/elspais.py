"""What the public tool reads of a project, as JSON. Run by the Python of its own environment."""

import json
import os
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
root = pathlib.Path(sys.argv[1]).resolve()
os.chdir(root)

from elspais.graph import NodeKind  # noqa: E402
from elspais.graph.factory import build_graph  # noqa: E402

graph = build_graph(repo_root=root, config_path=root / ".elspais.toml")


def nodes(kind):
    return list((getattr(graph, "iter_by_kind", None) or graph.nodes_by_kind)(kind))


def words(node):
    return node.get_label() if hasattr(node, "get_label") else node.label


def place(node):
    source = getattr(node, "source", None)
    if source is not None and getattr(source, "path", None):
        path = str(source.path)
    else:
        file = node.file_node() if hasattr(node, "file_node") else None
        path = str(file.get_field("relative_path")) if file else ""
    return path.removeprefix(str(root) + "/")


def covered(node):
    """The labels of assertions that something covers, by whichever name the release has for it."""
    metrics = node.get_metric("rollup_metrics") if hasattr(node, "get_metric") else None
    metrics = metrics or getattr(node, "metrics", {}).get("rollup_metrics")
    if metrics is None:
        return []
    implemented = getattr(metrics, "implemented", None)
    # Those that a citation names: what it says of the rest follows from other figures.
    for name in ("immediate_direct_by_label", "direct_labels"):
        labels = getattr(implemented, name, None)
        if labels is not None:
            return sorted(labels)
    return sorted(label for label, by in metrics.assertion_coverage.items() if by)


try:
    # Releases whose graph comes without coverage have it made.
    from elspais.graph.annotators import annotate_coverage

    annotate_coverage(graph)
except (ImportError, TypeError):
    pass

out = {"requirements": {}, "links": [], "citations": [], "broken": [], "instances": 0}
for node in nodes(NodeKind.REQUIREMENT):
    if "::" in node.id:
        out["instances"] += 1
        continue
    children = [it for it in node.iter_children() if it.kind == NodeKind.ASSERTION]
    labels = [it.get_field("label") or it.id.rsplit("-", 1)[-1] for it in children]
    out["requirements"][node.id] = {
        "title": words(node),
        "level": node.get_field("level") or "",
        "status": node.get_field("status") or "",
        "hash": node.get_field("hash") or "",
        "assertions": [[label, words(it)] for label, it in zip(labels, children)],
        "path": place(node),
        "covered": covered(node),
    }
    for edge in node.iter_outgoing_edges():
        kind = getattr(edge.kind, "value", str(edge.kind)).lower()
        named = sorted(getattr(edge, "assertion_targets", None) or [""])
        target = edge.target
        if target.kind == NodeKind.REQUIREMENT and "::" not in target.id:
            if kind not in ("contains", "structures"):
                out["links"] += [f"{kind} {target.id} {node.id} {label}".strip() for label in named]
        elif target.kind in (NodeKind.CODE, NodeKind.TEST):
            out["citations"] += [f"{node.id} {label} {place(target)}" for label in named]
references = getattr(graph, "broken_references", None)
for it in references() if callable(references) else []:
    out["broken"].append(getattr(it, "target_id", ""))
out["roots"] = [it.id for it in graph.iter_roots() if it.kind == NodeKind.REQUIREMENT and "::" not in it.id]
json.dump(out, sys.stdout, default=str)
