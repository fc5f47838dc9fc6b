//! The part of Z3's C interface that attest uses, loaded at run time.
//!
//! This is the only file with foreign signatures. They are those of `z3_api.h` and `z3_fpa.h`,
//! unchanged from 4.8 to 5.x; a library that lacks one of them is refused when it is loaded, so no
//! call meets a missing symbol.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::Library;

pub(super) type Context = *mut c_void;
pub(super) type Ast = *mut c_void;
pub(super) type Sort = *mut c_void;
pub(super) type Decl = *mut c_void;
pub(super) type Handle = *mut c_void;
pub(super) type Text = *const c_char;
type Unary = unsafe extern "C" fn(Context, Ast) -> Ast;
type Binary = unsafe extern "C" fn(Context, Ast, Ast) -> Ast;
type Ternary = unsafe extern "C" fn(Context, Ast, Ast, Ast) -> Ast;

macro_rules! api {
    ($($name:ident: $type:ty;)+) => {
        /// The functions of a loaded library, without their prefix `Z3_`.
        pub(super) struct Api {
            $(pub $name: $type,)+
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Api {
            fn load(name: &Path) -> Result<Api, libloading::Error> {
                // Safety: Z3's initialisers have no conditions, and the types
                // are those of its headers.
                unsafe {
                    let library = Library::new(name)?;
                    Ok(Api {
                        $($name: *library.get(concat!("Z3_", stringify!($name), "\0").as_bytes())?,)+
                        _library: library,
                    })
                }
            }
        }
    };
}

api! {
    get_full_version: unsafe extern "C" fn() -> Text;
    mk_config: unsafe extern "C" fn() -> Handle;
    del_config: unsafe extern "C" fn(Handle);
    mk_context: unsafe extern "C" fn(Handle) -> Context;
    del_context: unsafe extern "C" fn(Context);
    set_error_handler: unsafe extern "C" fn(Context, Option<unsafe extern "C" fn(Context, c_int)>);
    interrupt: unsafe extern "C" fn(Context);
    get_estimated_alloc_size: unsafe extern "C" fn() -> u64;
    mk_string_symbol: unsafe extern "C" fn(Context, Text) -> Handle;
    mk_int_symbol: unsafe extern "C" fn(Context, c_int) -> Handle;

    mk_bool_sort: unsafe extern "C" fn(Context) -> Sort;
    mk_bv_sort: unsafe extern "C" fn(Context, c_uint) -> Sort;
    mk_fpa_sort: unsafe extern "C" fn(Context, c_uint, c_uint) -> Sort;
    mk_const: unsafe extern "C" fn(Context, Handle, Sort) -> Ast;
    mk_func_decl: unsafe extern "C" fn(Context, Handle, c_uint, *const Sort, Sort) -> Decl;
    mk_app: unsafe extern "C" fn(Context, Decl, c_uint, *const Ast) -> Ast;
    mk_numeral: unsafe extern "C" fn(Context, Text, Sort) -> Ast;

    mk_true: unsafe extern "C" fn(Context) -> Ast;
    mk_false: unsafe extern "C" fn(Context) -> Ast;
    mk_not: Unary;
    mk_and: unsafe extern "C" fn(Context, c_uint, *const Ast) -> Ast;
    mk_or: unsafe extern "C" fn(Context, c_uint, *const Ast) -> Ast;
    mk_xor: Binary;
    mk_eq: Binary;
    mk_ite: Ternary;
    mk_implies: Binary;

    mk_bvneg: Unary;
    mk_bvnot: Unary;
    mk_bvadd: Binary;
    mk_bvsub: Binary;
    mk_bvmul: Binary;
    mk_bvudiv: Binary;
    mk_bvsdiv: Binary;
    mk_bvurem: Binary;
    mk_bvsrem: Binary;
    mk_bvand: Binary;
    mk_bvor: Binary;
    mk_bvxor: Binary;
    mk_bvshl: Binary;
    mk_bvlshr: Binary;
    mk_bvashr: Binary;
    mk_concat: Binary;
    mk_extract: unsafe extern "C" fn(Context, c_uint, c_uint, Ast) -> Ast;
    mk_zero_ext: unsafe extern "C" fn(Context, c_uint, Ast) -> Ast;
    mk_sign_ext: unsafe extern "C" fn(Context, c_uint, Ast) -> Ast;
    mk_bvult: Binary;
    mk_bvule: Binary;
    mk_bvslt: Binary;
    mk_bvsle: Binary;

    mk_fpa_rne: unsafe extern "C" fn(Context) -> Ast;
    mk_fpa_rna: unsafe extern "C" fn(Context) -> Ast;
    mk_fpa_rtp: unsafe extern "C" fn(Context) -> Ast;
    mk_fpa_rtn: unsafe extern "C" fn(Context) -> Ast;
    mk_fpa_rtz: unsafe extern "C" fn(Context) -> Ast;
    mk_fpa_add: Ternary;
    mk_fpa_sub: Ternary;
    mk_fpa_mul: Ternary;
    mk_fpa_div: Ternary;
    mk_fpa_fma: unsafe extern "C" fn(Context, Ast, Ast, Ast, Ast) -> Ast;
    mk_fpa_sqrt: Binary;
    mk_fpa_round_to_integral: Binary;
    mk_fpa_neg: Unary;
    mk_fpa_abs: Unary;
    mk_fpa_eq: Binary;
    mk_fpa_lt: Binary;
    mk_fpa_leq: Binary;
    mk_fpa_geq: Binary;
    mk_fpa_is_nan: Unary;
    mk_fpa_is_infinite: Unary;
    mk_fpa_is_zero: Unary;
    mk_fpa_is_normal: Unary;
    mk_fpa_is_subnormal: Unary;
    mk_fpa_is_negative: Unary;
    mk_fpa_to_fp_bv: unsafe extern "C" fn(Context, Ast, Sort) -> Ast;
    mk_fpa_to_fp_float: unsafe extern "C" fn(Context, Ast, Ast, Sort) -> Ast;
    mk_fpa_to_fp_signed: unsafe extern "C" fn(Context, Ast, Ast, Sort) -> Ast;
    mk_fpa_to_fp_unsigned: unsafe extern "C" fn(Context, Ast, Ast, Sort) -> Ast;
    mk_fpa_to_sbv: unsafe extern "C" fn(Context, Ast, Ast, c_uint) -> Ast;
    mk_fpa_to_ubv: unsafe extern "C" fn(Context, Ast, Ast, c_uint) -> Ast;
    mk_fpa_to_ieee_bv: Unary;

    mk_simple_solver: unsafe extern "C" fn(Context) -> Handle;
    solver_inc_ref: unsafe extern "C" fn(Context, Handle);
    solver_dec_ref: unsafe extern "C" fn(Context, Handle);
    solver_set_params: unsafe extern "C" fn(Context, Handle, Handle);
    solver_assert: unsafe extern "C" fn(Context, Handle, Ast);
    solver_check_assumptions: unsafe extern "C" fn(Context, Handle, c_uint, *const Ast) -> c_int;
    solver_get_model: unsafe extern "C" fn(Context, Handle) -> Handle;
    solver_get_unsat_core: unsafe extern "C" fn(Context, Handle) -> Handle;
    solver_get_reason_unknown: unsafe extern "C" fn(Context, Handle) -> Text;
    ast_vector_inc_ref: unsafe extern "C" fn(Context, Handle);
    ast_vector_dec_ref: unsafe extern "C" fn(Context, Handle);
    ast_vector_size: unsafe extern "C" fn(Context, Handle) -> c_uint;
    ast_vector_get: unsafe extern "C" fn(Context, Handle, c_uint) -> Ast;
    model_inc_ref: unsafe extern "C" fn(Context, Handle);
    model_dec_ref: unsafe extern "C" fn(Context, Handle);
    model_eval: unsafe extern "C" fn(Context, Handle, Ast, bool, *mut Ast) -> bool;
    get_numeral_string: unsafe extern "C" fn(Context, Ast) -> Text;
    get_bool_value: unsafe extern "C" fn(Context, Ast) -> c_int;
    mk_params: unsafe extern "C" fn(Context) -> Handle;
    params_inc_ref: unsafe extern "C" fn(Context, Handle);
    params_dec_ref: unsafe extern "C" fn(Context, Handle);
    params_set_uint: unsafe extern "C" fn(Context, Handle, Handle, c_uint);
}

/// Loads Z3 from where `ATTEST_Z3` points (the library, or a folder that pip
/// installed `z3-solver` into), from the system, or from Python's packages.
pub(super) fn find() -> Result<Api, String> {
    if let Some(place) = std::env::var_os("ATTEST_Z3") {
        let place = PathBuf::from(place);
        let inside = ["libz3.so", "lib/libz3.so", "z3/lib/libz3.so"].map(|file| place.join(file));
        let file = inside.into_iter().find(|file| file.is_file());
        let file = file.unwrap_or(place);
        return Api::load(&file).map_err(|error| format!("ATTEST_Z3: {error}"));
    }
    let mut errors = Vec::new();
    for name in ["libz3.so", "libz3.so.4", "libz3.dylib"] {
        match Api::load(Path::new(name)) {
            Ok(api) => return Ok(api),
            Err(error) => errors.push(error.to_string()),
        }
    }
    match python_library() {
        Some(file) => Api::load(&file).map_err(|error| error.to_string()),
        None => Err(format!("no libz3: {}", errors.join("; "))),
    }
}

/// The library inside Python's package `z3-solver`, found without importing it.
fn python_library() -> Option<PathBuf> {
    const SCRIPT: &str = "import importlib.util, os\n\
        spec = importlib.util.find_spec('z3')\n\
        print(os.path.dirname(spec.origin) if spec else '')";
    let output = Command::new("python3").args(["-c", SCRIPT]).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(folder.trim()).join("lib");
    let files = ["libz3.so", "libz3.dylib"].map(|file| folder.join(file));
    files.into_iter().find(|file| file.is_file())
}
