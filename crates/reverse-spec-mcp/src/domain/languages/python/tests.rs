//! Python, case by case.

use crate::domain::languages::tests::*;

#[test]
fn all_may_be_written_in_every_way_python_has() {
    for all in [
        "__all__ = 'a', 'b'",
        "__all__ = ('a', 'b')",
        "__all__: list[str] = ['a', 'b']",
        "__all__ = ['a'] + ['b']",
        "__all__ = ['a']\n__all__ += ('b',)",
        "__all__ = ['a']\n__all__.extend(['b'])",
        "__all__ = ['a']\n__all__.append('b')",
        "__all__ = ['a', 'b', 'c']\n__all__.remove('c')",
        "if new:\n    __all__ = ['a', 'b']\nelse:\n    __all__ = ['a']",
    ] {
        let text = format!("{all}\ndef a(): ...\ndef b(): ...\ndef c(): ...\n");
        assert_eq!(exports("m.py", &text), ["function a: def a()", "function b: def b()"], "{all}");
    }
}

#[test]
fn where_all_is_put_together_at_run_time_names_say_what_is_offered() {
    let text = "from .x import *\n__all__ = x.__all__\ndef a(): ...\ndef _b(): ...\n";
    assert_eq!(
        exports("p/__init__.py", text),
        ["function a: def a()", "re_export *: from .x import *"]
    );
    let text = "from .x import *\n__all__ = ['a'] + x.__all__\ndef a(): ...\ndef b(): ...\n";
    assert_eq!(exports("m.py", text), ["function a: def a()", "re_export *: from .x import *"]);
}

#[test]
fn names_in_all_that_are_made_elsewhere_are_handed_on() {
    let text =
        "import os\nimport a.b as c\nfrom x import *\n__all__ = ['os', 'c', 'far', '__doc__']\n";
    assert_eq!(
        exports("m.py", text),
        [
            "re_export os: import os",
            "re_export c: import a.b as c",
            "re_export far: from x import far"
        ]
    );
    let lazy = "__all__ = ['later']\ndef __getattr__(name): ...\n";
    assert_eq!(exports("m.py", lazy), ["re_export later: later"]);
}

#[test]
fn members_under_a_condition_are_members() {
    let text = "class A:\n    if TYPE_CHECKING:\n        x: int\n        def f(self): ...\n    elif old:\n        def g(self): ...\n    else:\n        try:\n            y = 1\n        except E:\n            z = 2\n    def last(self): ...\n";
    assert_eq!(
        members("m.py", text, "A"),
        [
            "x: x: int",
            "f: def f(self)",
            "g: def g(self)",
            "y: y = 1",
            "z: z = 2",
            "last: def last(self)"
        ]
    );
}

#[test]
fn several_names_may_be_given_a_value_at_once() {
    let text = "class A:\n    a = b = 1\n    c, (d, *e) = f()\n    type G[T] = list[T]\n";
    assert_eq!(
        members("m.py", text, "A"),
        [
            "a: a = 1",
            "b: b = 1",
            "c: c = f()",
            "d: d = f()",
            "e: e = f()",
            "G: type G[T] = list[T]"
        ]
    );
}

#[test]
fn the_function_behind_overloads_is_none_of_them() {
    let text = "@overload\ndef f(a: int) -> int: ...\n@t.overload\ndef f(a: str) -> str: ...\ndef f(a):\n    \"\"\"Says it.\"\"\"\n    raise E\ndef g(): ...\n";
    let found = exports("m.py", text);
    assert_eq!(
        found,
        [
            "function f: def f(a: int) -> int",
            "function f: def f(a: str) -> str",
            "function g: def g()"
        ]
    );
    let skeleton = read("m.py", text);
    assert_eq!(skeleton.exports[0].js_doc.as_deref(), Some("\"\"\"Says it.\"\"\""));
    assert_eq!(skeleton.exports[0].facts.throws.len(), 1);
    let inside = format!("    {}", text.trim_end().replace('\n', "\n    "));
    assert_eq!(
        members("m.py", &format!("class A:\n{inside}"), "A"),
        ["f: def f(a: int) -> int", "f: def f(a: str) -> str", "g: def g()"]
    );
}

#[test]
fn a_class_inside_of_a_class_keeps_its_members() {
    let text = "class A:\n    @d\n    class B:\n        \"\"\"Inner.\"\"\"\n        class C:\n            x = 1\n        def m(self): ...\n    class _D:\n        pass\n";
    assert_eq!(
        exports("m.py", text),
        ["class A: class A", "class A.B: class B", "class A.B.C: class C"]
    );
    assert_eq!(members("m.py", text, "A"), ["_D: class _D"]);
    assert_eq!(members("m.py", text, "B"), ["m: def m(self)"]);
    assert_eq!(members("m.py", text, "C"), ["x: x = 1"]);
}

#[test]
fn every_form_of_a_declaration_is_kept_whole() {
    insta::assert_snapshot!(outline("pkg/sample.py", include_str!("tests/sample.py")));
}
