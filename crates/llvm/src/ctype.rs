//! C types from the debug information, with enough detail to print a value as a C programmer would
//! write it.
//!
//! Types are interpreted one level at a time, on demand: a structure gives its fields, each with
//! the node of its own type. So cycles through pointers need no special case, and chains of
//! typedefs are followed a bounded number of steps.

use crate::debug::{MdValue, Metadata};
use crate::ir::MdId;

/// The number of typedefs and qualifiers that are followed.
const MAX_CHAIN: usize = 100;
/// The nesting depth up to which a name shows a type.
const MAX_NAME_DEPTH: u32 = 12;

/// A C type, typedefs and qualifiers resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// `void`, or no type.
    Void,
    /// A number, character or boolean.
    Basic {
        /// Its name, such as `unsigned int`.
        name: String,
        /// Its width.
        bits: u64,
        /// The encoding of its bits.
        encoding: Encoding,
    },
    /// A pointer (or C++ reference).
    Pointer {
        /// What it points to; `None` for `void *`.
        target: Option<MdId>,
        /// Its width.
        bits: u64,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: Option<MdId>,
        /// The number of elements of each dimension, where it is known.
        counts: Vec<Option<u64>>,
        /// Its size in bits.
        bits: u64,
    },
    /// A structure or union.
    Struct {
        /// Its tag; `None` for an anonymous one.
        name: Option<String>,
        /// Whether it is a union.
        union: bool,
        /// Its size in bits.
        bits: u64,
        /// Its fields in order.
        fields: Vec<CField>,
    },
    /// An enumeration.
    Enum {
        /// Its tag; `None` for an anonymous one.
        name: Option<String>,
        /// Its width.
        bits: u64,
        /// Whether its values are signed.
        signed: bool,
        /// Names and values.
        enumerators: Vec<(String, i128)>,
    },
    /// A function.
    Function {
        /// The type that it returns; `None` for `void`.
        ret: Option<MdId>,
        /// Its parameters.
        params: Vec<Option<MdId>>,
        /// Whether it takes variable arguments (also for `f()` without prototype).
        varargs: bool,
    },
    /// Something else, by its DWARF tag or kind.
    Other(String),
}

/// The encoding of a basic type's bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A signed character.
    SignedChar,
    /// An unsigned character.
    UnsignedChar,
    /// A boolean.
    Bool,
    /// A floating-point number.
    Float,
    /// Something else, such as a complex number.
    Other,
}

impl Encoding {
    /// Whether it is signed.
    pub fn is_signed(self) -> bool {
        matches!(self, Encoding::Signed | Encoding::SignedChar)
    }
}

/// A field of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CField {
    /// Its name; `None` for an anonymous structure or union.
    pub name: Option<String>,
    /// Its offset in bits.
    pub offset: u64,
    /// Its size in bits.
    pub bits: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
    /// Its type.
    pub ty: Option<MdId>,
}

impl Metadata {
    fn bits(&self, id: MdId) -> u64 {
        self.number_field(id, "size")
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(0)
    }

    fn name_field(&self, id: MdId) -> Option<String> {
        self.text_field(id, "name")
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
    }

    fn tag(&self, id: MdId) -> &str {
        self.word_field(id, "tag").unwrap_or_default()
    }

    /// The node of a type below its typedefs and qualifiers; `None` is `void`.
    pub fn resolve_type(&self, id: MdId) -> Option<MdId> {
        let mut at = id;
        for _ in 0..MAX_CHAIN {
            let transparent = self.kind(at) == Some("DIDerivedType")
                && matches!(
                    self.tag(at),
                    "DW_TAG_typedef"
                        | "DW_TAG_const_type"
                        | "DW_TAG_volatile_type"
                        | "DW_TAG_restrict_type"
                        | "DW_TAG_atomic_type"
                        | "DW_TAG_immutable_type"
                        | "DW_TAG_member"
                );
            if !transparent {
                return Some(at);
            }
            at = self.node_field(at, "baseType")?;
        }
        None
    }

    /// The type of a node; `None` if the node is not a type.
    pub fn ctype(&self, id: MdId) -> Option<CType> {
        let Some(id) = self.resolve_type(id) else {
            return Some(CType::Void);
        };
        let bits = self.bits(id);
        Some(match self.kind(id)? {
            "DIBasicType" => CType::Basic {
                name: self.name_field(id).unwrap_or_default(),
                bits,
                encoding: self.encoding(id),
            },
            "DIDerivedType" => match self.tag(id) {
                "DW_TAG_pointer_type"
                | "DW_TAG_reference_type"
                | "DW_TAG_rvalue_reference_type" => CType::Pointer {
                    target: self.node_field(id, "baseType"),
                    bits,
                },
                tag => CType::Other(tag.to_owned()),
            },
            "DICompositeType" => match self.tag(id) {
                "DW_TAG_array_type" => CType::Array {
                    element: self.node_field(id, "baseType"),
                    counts: self.counts(id),
                    bits,
                },
                tag @ ("DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type") => {
                    CType::Struct {
                        name: self.name_field(id),
                        union: tag == "DW_TAG_union_type",
                        bits,
                        fields: self.fields(id),
                    }
                }
                "DW_TAG_enumeration_type" => self.enumeration(id, bits),
                tag => CType::Other(tag.to_owned()),
            },
            "DISubroutineType" => self.function_type(id),
            kind @ "DIStringType" => CType::Other(kind.to_owned()),
            _ => return None,
        })
    }

    fn encoding(&self, id: MdId) -> Encoding {
        match self.word_field(id, "encoding").unwrap_or_default() {
            "DW_ATE_signed" => Encoding::Signed,
            "DW_ATE_unsigned" | "DW_ATE_UTF" => Encoding::Unsigned,
            "DW_ATE_signed_char" => Encoding::SignedChar,
            "DW_ATE_unsigned_char" => Encoding::UnsignedChar,
            "DW_ATE_boolean" => Encoding::Bool,
            "DW_ATE_float" => Encoding::Float,
            _ => Encoding::Other,
        }
    }

    /// The nodes of the `elements` of a composite type.
    fn elements(&self, id: MdId) -> impl Iterator<Item = MdId> + '_ {
        let elements = self
            .node_field(id, "elements")
            .map(|e| self.tuple(e))
            .unwrap_or_default();
        elements.iter().filter_map(|e| match e {
            MdValue::Node(node) => Some(*node),
            _ => None,
        })
    }

    fn counts(&self, id: MdId) -> Vec<Option<u64>> {
        let count = |range| {
            self.number_field(range, "count")
                .and_then(|n| u64::try_from(n).ok())
        };
        self.elements(id)
            .filter(|&e| self.kind(e) == Some("DISubrange"))
            .map(count)
            .collect()
    }

    fn fields(&self, id: MdId) -> Vec<CField> {
        self.elements(id)
            .filter(|&e| self.tag(e) == "DW_TAG_member")
            .map(|e| CField {
                name: self.name_field(e),
                offset: self
                    .number_field(e, "offset")
                    .and_then(|n| u64::try_from(n).ok())
                    .unwrap_or(0),
                bits: self.bits(e),
                bit_field: self
                    .word_field(e, "flags")
                    .is_some_and(|f| f.contains("DIFlagBitField")),
                ty: self.node_field(e, "baseType"),
            })
            .collect()
    }

    fn enumeration(&self, id: MdId, bits: u64) -> CType {
        let base = self
            .node_field(id, "baseType")
            .and_then(|b| self.resolve_type(b));
        let enumerators: Vec<_> = self
            .elements(id)
            .filter_map(|e| Some((self.name_field(e)?, self.number_field(e, "value")?)))
            .collect();
        let signed = match base {
            Some(base) => self.encoding(base).is_signed(),
            None => enumerators.iter().any(|(_, value)| *value < 0),
        };
        CType::Enum {
            name: self.name_field(id),
            bits,
            signed,
            enumerators,
        }
    }

    fn function_type(&self, id: MdId) -> CType {
        let types = self
            .node_field(id, "types")
            .map(|t| self.tuple(t))
            .unwrap_or_default();
        let node = |value: &MdValue| match value {
            MdValue::Node(node) => Some(*node),
            _ => None,
        };
        let ret = types.first().and_then(node);
        let mut params: Vec<_> = types.iter().skip(1).map(node).collect();
        // A final `null` stands for the ellipsis.
        let varargs = params.last() == Some(&None);
        if varargs {
            params.pop();
        }
        CType::Function {
            ret,
            params,
            varargs,
        }
    }

    /// A type as C writes it: `const char *`, `struct s[4]`, `int (*)(int)`.
    pub fn ctype_name(&self, id: MdId) -> String {
        self.declare(Some(id), String::new(), MAX_NAME_DEPTH)
    }

    /// The C declaration of a declarator so far written as `inner`: the type is added from the
    /// inside out, as in C.
    fn declare(&self, id: Option<MdId>, inner: String, depth: u32) -> String {
        let after = |word: &str| match inner.as_str() {
            "" => word.to_owned(),
            inner if inner.starts_with('[') => format!("{word}{inner}"),
            _ => format!("{word} {inner}"),
        };
        let Some(id) = id else { return after("void") };
        if depth == 0 {
            return after("...");
        }
        let base = self.node_field(id, "baseType");
        let tagged = |keyword: &str| match self.name_field(id) {
            Some(name) => format!("{keyword} {name}"),
            None => format!("{keyword} {{...}}"),
        };
        match (self.kind(id).unwrap_or_default(), self.tag(id)) {
            ("DIBasicType", _) => after(&self.name_field(id).unwrap_or_default()),
            (_, "DW_TAG_typedef") => after(&self.name_field(id).unwrap_or_default()),
            (_, tag @ ("DW_TAG_const_type" | "DW_TAG_volatile_type" | "DW_TAG_restrict_type")) => {
                let word = tag.trim_start_matches("DW_TAG_").trim_end_matches("_type");
                self.qualify(word, base, inner, depth)
            }
            (_, "DW_TAG_atomic_type") => after(&format!("_Atomic({})", {
                self.declare(base, String::new(), depth - 1)
            })),
            (_, "DW_TAG_pointer_type") => {
                let pointee = base.map(|b| (self.kind(b).unwrap_or_default(), self.tag(b)));
                let grouped = matches!(
                    pointee,
                    Some(("DISubroutineType", _) | (_, "DW_TAG_array_type"))
                );
                let inner = if grouped {
                    format!("(*{inner})")
                } else {
                    format!("*{inner}")
                };
                self.declare(base, inner, depth - 1)
            }
            (_, "DW_TAG_array_type") => {
                let mut dimensions = String::new();
                for count in self.counts(id) {
                    let count = count.map(|n| n.to_string()).unwrap_or_default();
                    dimensions.push_str(&format!("[{count}]"));
                }
                self.declare(base, format!("{inner}{dimensions}"), depth - 1)
            }
            ("DISubroutineType", _) => {
                let CType::Function {
                    ret,
                    params,
                    varargs,
                } = self.function_type(id)
                else {
                    return after("...");
                };
                let mut list: Vec<_> = params
                    .iter()
                    .map(|&p| self.declare(p, String::new(), depth / 2))
                    .collect();
                if varargs {
                    list.push("...".to_owned());
                }
                if list.is_empty() {
                    list.push("void".to_owned());
                }
                self.declare(ret, format!("{inner}({})", list.join(", ")), depth - 1)
            }
            (_, "DW_TAG_structure_type") => after(&tagged("struct")),
            (_, "DW_TAG_union_type") => after(&tagged("union")),
            (_, "DW_TAG_enumeration_type") => after(&tagged("enum")),
            (_, tag) => after(&self.name_field(id).unwrap_or_else(|| tag.to_owned())),
        }
    }

    /// A qualifier follows the star of a pointer and precedes any other type.
    fn qualify(&self, word: &str, base: Option<MdId>, inner: String, depth: u32) -> String {
        let is_pointer = base.is_some_and(|b| self.tag(b) == "DW_TAG_pointer_type");
        if is_pointer {
            let space = if inner.is_empty() || inner.starts_with('[') {
                ""
            } else {
                " "
            };
            return self.declare(base, format!("{word}{space}{inner}"), depth - 1);
        }
        format!("{word} {}", self.declare(base, inner, depth - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_module;

    /// `!0` of a text of metadata.
    fn first(text: &str) -> (Metadata, MdId) {
        let text = format!("{text}\n!top = !{{!0}}\n");
        let module = read_module(&text, "test.ll").expect("valid metadata");
        let id = module.metadata.named["top"][0];
        (module.metadata, id)
    }

    const INT: &str = "!90 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n\
        !91 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)\n";

    fn check_name(text: &str, expected: &str) {
        let (metadata, id) = first(&format!("{INT}{text}"));
        assert_eq!(metadata.ctype_name(id), expected);
    }

    #[test]
    fn names() {
        check_name(
            "!0 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !90)",
            "int *",
        );
        check_name(
            "!0 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null)",
            "void *",
        );
        check_name(
            "!0 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1)\n\
             !1 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !91)",
            "const char *",
        );
        check_name(
            "!0 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !1)\n\
             !1 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !91)",
            "char *const",
        );
        check_name(
            "!0 = !DICompositeType(tag: DW_TAG_array_type, baseType: !90, elements: !1)\n\
             !1 = !{!2, !3}\n!2 = !DISubrange(count: 2)\n!3 = !DISubrange(count: 3)",
            "int[2][3]",
        );
        check_name(
            "!0 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !1)\n\
             !1 = !DISubroutineType(types: !2)\n!2 = !{!90, !91, null}",
            "int (*)(char, ...)",
        );
        check_name(
            "!0 = !DICompositeType(tag: DW_TAG_structure_type, name: \"s\")",
            "struct s",
        );
    }

    #[test]
    fn structures() {
        let (metadata, id) = first(&format!(
            "{INT}!0 = !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !1)\n\
             !1 = !DICompositeType(tag: DW_TAG_union_type, size: 64, elements: !2)\n\
             !2 = !{{!3}}\n\
             !3 = !DIDerivedType(tag: DW_TAG_member, name: \"a\", baseType: !90, size: 3, offset: 5, flags: DIFlagBitField, extraData: i64 0)",
        ));
        let Some(CType::Struct {
            union: true,
            bits: 64,
            fields,
            ..
        }) = metadata.ctype(id)
        else {
            panic!("{:?}", metadata.ctype(id));
        };
        assert_eq!(fields.len(), 1);
        assert!(fields[0].bit_field && fields[0].offset == 5 && fields[0].bits == 3);
        assert_eq!(metadata.ctype_name(id), "t");
    }

    #[test]
    fn enumerations() {
        let (metadata, id) = first(
            "!0 = !DICompositeType(tag: DW_TAG_enumeration_type, name: \"e\", size: 32, elements: !1)\n\
             !1 = !{!2}\n!2 = !DIEnumerator(name: \"A\", value: -1)",
        );
        let Some(CType::Enum {
            signed,
            enumerators,
            ..
        }) = metadata.ctype(id)
        else {
            panic!("not an enumeration");
        };
        assert!(signed);
        assert_eq!(enumerators, [("A".to_owned(), -1)]);
    }

    #[test]
    fn cyclic_types_terminate() {
        for tag in [
            "typedef",
            "pointer_type",
            "const_type",
            "array_type",
            "member",
        ] {
            let (metadata, id) = first(&format!(
                "!0 = !DIDerivedType(tag: DW_TAG_{tag}, baseType: !0, scope: !0)"
            ));
            metadata.ctype_name(id);
            metadata.ctype(id);
            metadata.enclosing_function(id);
            metadata.file_of(id);
        }
        let (metadata, id) =
            first("!0 = !DISubroutineType(types: !1)\n!1 = !{!0, !0, !0, !0, !0, !0}");
        assert!(metadata.ctype_name(id).len() < 1_000_000);
    }

    #[test]
    fn places() {
        let (metadata, id) = first(
            "!0 = !DILocation(line: 3, column: 7, scope: !1, inlinedAt: !9)\n\
             !1 = distinct !DILexicalBlock(scope: !2, line: 2)\n\
             !2 = distinct !DISubprogram(name: \"f\", file: !3, line: 1, unit: !4)\n\
             !3 = !DIFile(filename: \"a.h\", directory: \"/usr\")\n\
             !4 = distinct !DICompileUnit(file: !5)\n\
             !5 = !DIFile(filename: \"a.c\", directory: \"/work\")\n\
             !9 = !DILocation(line: 9, scope: !6)\n\
             !6 = distinct !DISubprogram(name: \"main\", scope: !5, line: 8)\n\
             !llvm.dbg.cu = !{!4}",
        );
        let place = |file: &str, line, column| {
            Some(crate::debug::Place {
                file: file.to_owned(),
                line,
                column,
            })
        };
        assert_eq!(metadata.place(id), place("/usr/a.h", 3, 7));
        assert_eq!(metadata.enclosing_function(id), Some("f"));
        let call = metadata.inlined_at(id).expect("an inlined location");
        assert_eq!(metadata.place(call), place("a.c", 9, 0));
        assert_eq!(metadata.enclosing_function(call), Some("main"));
    }
}
