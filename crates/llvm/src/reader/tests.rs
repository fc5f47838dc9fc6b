//! Tests of the reader on small texts.
