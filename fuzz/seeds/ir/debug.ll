; ModuleID = 's.c'
source_filename = "s.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [2 x double], ptr }

@pointer = dso_local global ptr @g, align 8, !dbg !0
@.str = private unnamed_addr constant [5 x i8] c"text\00", align 1, !dbg !8
@table = internal global [2 x { i8, [7 x i8], [2 x double], ptr }] [{ i8, [7 x i8], [2 x double], ptr } { i8 97, [7 x i8] zeroinitializer, [2 x double] [double 1.500000e+00, double -0.000000e+00], ptr null }, { i8, [7 x i8], [2 x double], ptr } { i8 10, [7 x i8] zeroinitializer, [2 x double] [double 2.000000e+00, double 3.000000e+00], ptr @table }], align 16, !dbg !14

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @g(float noundef %0) #0 !dbg !39 {
  %2 = alloca float, align 4
  store float %0, ptr %2, align 4
    #dbg_declare(ptr %2, !41, !DIExpression(), !42)
  %3 = load float, ptr %2, align 4, !dbg !43
  %4 = fptosi float %3 to i32, !dbg !44
  ret i32 %4, !dbg !45
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !46 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !49, !DIExpression(), !50)
  store i32 0, ptr %2, align 4, !dbg !50
    #dbg_declare(ptr %3, !51, !DIExpression(), !53)
  store ptr getelementptr inbounds ([2 x %struct.pair], ptr @table, i64 0, i64 1), ptr %3, align 8, !dbg !53
  br label %4, !dbg !54

4:                                                ; preds = %32, %0
  %5 = load ptr, ptr %3, align 8, !dbg !55
  %6 = icmp ne ptr %5, null, !dbg !57
  br i1 %6, label %7, label %36, !dbg !57

7:                                                ; preds = %4
  %8 = load ptr, ptr %3, align 8, !dbg !58
  %9 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 0, !dbg !59
  %10 = load i8, ptr %9, align 8, !dbg !59
  %11 = sext i8 %10 to i32, !dbg !58
  switch i32 %11, label %30 [
    i32 97, label %12
    i32 10, label %20
  ], !dbg !60

12:                                               ; preds = %7
  %13 = load ptr, ptr %3, align 8, !dbg !61
  %14 = getelementptr inbounds nuw %struct.pair, ptr %13, i32 0, i32 1, !dbg !63
  %15 = getelementptr inbounds [2 x double], ptr %14, i64 0, i64 1, !dbg !61
  %16 = load double, ptr %15, align 8, !dbg !61
  %17 = call i32 (i32, ...) @f(i32 noundef 1, ptr noundef @.str, double noundef %16), !dbg !64
  %18 = load i32, ptr %2, align 4, !dbg !65
  %19 = add nsw i32 %18, %17, !dbg !65
  store i32 %19, ptr %2, align 4, !dbg !65
  br label %31, !dbg !66

20:                                               ; preds = %7
  %21 = load volatile ptr, ptr @pointer, align 8, !dbg !67
  %22 = load ptr, ptr %3, align 8, !dbg !68
  %23 = getelementptr inbounds nuw %struct.pair, ptr %22, i32 0, i32 1, !dbg !69
  %24 = getelementptr inbounds [2 x double], ptr %23, i64 0, i64 0, !dbg !68
  %25 = load double, ptr %24, align 8, !dbg !68
  %26 = fptrunc double %25 to float, !dbg !70
  %27 = call i32 %21(float noundef %26), !dbg !67
  %28 = load i32, ptr %2, align 4, !dbg !71
  %29 = sub nsw i32 %28, %27, !dbg !71
  store i32 %29, ptr %2, align 4, !dbg !71
  br label %31, !dbg !72

30:                                               ; preds = %7
  call void @llvm.trap(), !dbg !73
  br label %31, !dbg !74

31:                                               ; preds = %30, %20, %12
  br label %32, !dbg !74

32:                                               ; preds = %31
  %33 = load ptr, ptr %3, align 8, !dbg !75
  %34 = getelementptr inbounds nuw %struct.pair, ptr %33, i32 0, i32 2, !dbg !76
  %35 = load ptr, ptr %34, align 8, !dbg !76
  store ptr %35, ptr %3, align 8, !dbg !77
  br label %4, !dbg !78, !llvm.loop !79

36:                                               ; preds = %4
  %37 = load i32, ptr %2, align 4, !dbg !82
  ret i32 %37, !dbg !83
}

declare i32 @f(i32 noundef, ...) #1

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { cold noreturn nounwind memory(inaccessiblemem: write) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!31, !32, !33, !34, !35, !36, !37}
!llvm.ident = !{!38}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "pointer", scope: !2, file: !3, line: 5, type: !27, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "s.c", directory: ".", checksumkind: CSK_MD5, checksum: "b888e88cd69cc6613af68de10268a084")
!4 = !{!5, !6}
!5 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!0, !8, !14}
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(scope: null, file: !3, line: 10, type: !10, isLocal: true, isDefinition: true)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 40, elements: !12)
!11 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!12 = !{!13}
!13 = !DISubrange(count: 5)
!14 = !DIGlobalVariableExpression(var: !15, expr: !DIExpression())
!15 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 2, type: !16, isLocal: true, isDefinition: true)
!16 = !DICompositeType(tag: DW_TAG_array_type, baseType: !17, size: 512, elements: !23)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !3, line: 1, size: 256, elements: !18)
!18 = !{!19, !20, !25}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "tag", scope: !17, file: !3, line: 1, baseType: !11, size: 8)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "values", scope: !17, file: !3, line: 1, baseType: !21, size: 128, offset: 64)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 128, elements: !23)
!22 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!23 = !{!24}
!24 = !DISubrange(count: 2)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !17, file: !3, line: 1, baseType: !26, size: 64, offset: 192)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!27 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !28)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !29, size: 64)
!29 = !DISubroutineType(types: !30)
!30 = !{!6, !5}
!31 = !{i32 7, !"Dwarf Version", i32 5}
!32 = !{i32 2, !"Debug Info Version", i32 3}
!33 = !{i32 1, !"wchar_size", i32 4}
!34 = !{i32 8, !"PIC Level", i32 2}
!35 = !{i32 7, !"PIE Level", i32 2}
!36 = !{i32 7, !"uwtable", i32 2}
!37 = !{i32 7, !"frame-pointer", i32 2}
!38 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!39 = distinct !DISubprogram(name: "g", scope: !3, file: !3, line: 4, type: !29, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !40)
!40 = !{}
!41 = !DILocalVariable(name: "x", arg: 1, scope: !39, file: !3, line: 4, type: !5)
!42 = !DILocation(line: 4, column: 20, scope: !39)
!43 = !DILocation(line: 4, column: 37, scope: !39)
!44 = !DILocation(line: 4, column: 32, scope: !39)
!45 = !DILocation(line: 4, column: 25, scope: !39)
!46 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 6, type: !47, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !40)
!47 = !DISubroutineType(types: !48)
!48 = !{!6}
!49 = !DILocalVariable(name: "sum", scope: !46, file: !3, line: 7, type: !6)
!50 = !DILocation(line: 7, column: 7, scope: !46)
!51 = !DILocalVariable(name: "p", scope: !52, file: !3, line: 8, type: !26)
!52 = distinct !DILexicalBlock(scope: !46, file: !3, line: 8, column: 3)
!53 = !DILocation(line: 8, column: 21, scope: !52)
!54 = !DILocation(line: 8, column: 8, scope: !52)
!55 = !DILocation(line: 8, column: 36, scope: !56)
!56 = distinct !DILexicalBlock(scope: !52, file: !3, line: 8, column: 3)
!57 = !DILocation(line: 8, column: 3, scope: !52)
!58 = !DILocation(line: 9, column: 13, scope: !56)
!59 = !DILocation(line: 9, column: 16, scope: !56)
!60 = !DILocation(line: 9, column: 5, scope: !56)
!61 = !DILocation(line: 10, column: 35, scope: !62)
!62 = distinct !DILexicalBlock(scope: !56, file: !3, line: 9, column: 21)
!63 = !DILocation(line: 10, column: 38, scope: !62)
!64 = !DILocation(line: 10, column: 22, scope: !62)
!65 = !DILocation(line: 10, column: 19, scope: !62)
!66 = !DILocation(line: 10, column: 50, scope: !62)
!67 = !DILocation(line: 11, column: 23, scope: !62)
!68 = !DILocation(line: 11, column: 38, scope: !62)
!69 = !DILocation(line: 11, column: 41, scope: !62)
!70 = !DILocation(line: 11, column: 31, scope: !62)
!71 = !DILocation(line: 11, column: 20, scope: !62)
!72 = !DILocation(line: 11, column: 53, scope: !62)
!73 = !DILocation(line: 12, column: 14, scope: !62)
!74 = !DILocation(line: 13, column: 5, scope: !62)
!75 = !DILocation(line: 8, column: 43, scope: !56)
!76 = !DILocation(line: 8, column: 46, scope: !56)
!77 = !DILocation(line: 8, column: 41, scope: !56)
!78 = !DILocation(line: 8, column: 3, scope: !56)
!79 = distinct !{!79, !57, !80, !81}
!80 = !DILocation(line: 13, column: 5, scope: !52)
!81 = !{!"llvm.loop.mustprogress"}
!82 = !DILocation(line: 14, column: 10, scope: !46)
!83 = !DILocation(line: 14, column: 3, scope: !46)
