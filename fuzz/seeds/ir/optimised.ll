; ModuleID = 's.c'
source_filename = "s.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@pointer = dso_local global ptr @g, align 8
@.str = private unnamed_addr constant [5 x i8] c"text\00", align 1
@table = internal global [2 x { i8, [7 x i8], [2 x double], ptr }] [{ i8, [7 x i8], [2 x double], ptr } { i8 97, [7 x i8] zeroinitializer, [2 x double] [double 1.500000e+00, double -0.000000e+00], ptr null }, { i8, [7 x i8], [2 x double], ptr } { i8 10, [7 x i8] zeroinitializer, [2 x double] [double 2.000000e+00, double 3.000000e+00], ptr @table }], align 16

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal i32 @g(float noundef %0) #0 {
  %2 = fptosi float %0 to i32
  ret i32 %2
}

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #1 {
  br label %2

1:                                                ; preds = %19
  ret i32 %20

2:                                                ; preds = %0, %19
  %3 = phi ptr [ getelementptr inbounds nuw (i8, ptr @table, i64 32), %0 ], [ %22, %19 ]
  %4 = phi i32 [ 0, %0 ], [ %20, %19 ]
  %5 = load i8, ptr %3, align 8, !tbaa !9
  switch i8 %5, label %18 [
    i8 97, label %6
    i8 10, label %11
  ]

6:                                                ; preds = %2
  %7 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %8 = load double, ptr %7, align 8, !tbaa !13
  %9 = tail call i32 (i32, ...) @f(i32 noundef 1, ptr noundef nonnull @.str, double noundef %8) #4
  %10 = add nsw i32 %9, %4
  br label %19

11:                                               ; preds = %2
  %12 = load volatile ptr, ptr @pointer, align 8, !tbaa !15
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %14 = load double, ptr %13, align 8, !tbaa !13
  %15 = fptrunc double %14 to float
  %16 = tail call i32 %12(float noundef %15) #4
  %17 = sub nsw i32 %4, %16
  br label %19

18:                                               ; preds = %2
  tail call void @llvm.trap()
  unreachable

19:                                               ; preds = %6, %11
  %20 = phi i32 [ %10, %6 ], [ %17, %11 ]
  %21 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %22 = load ptr, ptr %21, align 8, !tbaa !16
  %23 = icmp eq ptr %22, null
  br i1 %23, label %1, label %2, !llvm.loop !17
}

declare i32 @f(i32 noundef, ...) local_unnamed_addr #2

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !7, i64 0}
!10 = !{!"pair", !7, i64 0, !7, i64 8, !11, i64 24}
!11 = !{!"p1 _ZTS4pair", !12, i64 0}
!12 = !{!"any pointer", !7, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"double", !7, i64 0}
!15 = !{!12, !12, i64 0}
!16 = !{!10, !11, i64 24}
!17 = distinct !{!17, !18, !19}
!18 = !{!"llvm.loop.mustprogress"}
!19 = !{!"llvm.loop.unroll.disable"}
