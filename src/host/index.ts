/**
 * Exports of `host`: files and other features that exist only on Node. Heavy modules are loaded when a function of them
 * is called (`later.ts`).
 */

export type { TableFormat } from '../results/index.ts'
export type { ArrowFile, FileRow } from './arrow-file.ts'
export type { JournalScenarioOptions } from './exports/journal-scenario.ts'
export type { QueryResult, QueryValue } from './exports/query-run.ts'
export type { ExportFormat, RunExport, RunExportOptions } from './exports/run-tables.ts'
export type { TardisExportOptions, TardisFile, TardisManifest, TardisSymbol } from './exports/tardis.ts'
export type { TardisFeedOptions, TardisFeedReport } from './exports/tardis-feed.ts'
export type { ConvertOptions, ConvertReport } from './feeds/convert.ts'
export type { FeedFault } from './feeds/feed-fault.ts'
export type { FeedFile, FeedFileOptions } from './feeds/feed-file.ts'
export type {
  FeedInspection,
  Inspection,
  InspectOptions,
  LogInspection,
  RunInspection,
  TableInspection,
} from './feeds/inspect.ts'
export type { DocumentedMethod, InterfaceDocument } from './interface-document.ts'
export * from './later.ts'
export type { Manifest } from './manifest.ts'
export type { RunFolderOptions } from './run-folder.ts'
export type { AccountResult } from './runs/closing.ts'
export type { ComparedFigure, ComparedRun, ComparedSetting, DeflatedSharpe, MetricsComparison } from './runs/compare.ts'
export type { RunComparison, RunDifference } from './runs/diff.ts'
export * from './runs/digest-file.ts'
export type { AccountMetrics, CurrencyMetrics, FigureRecord, MetricsReport } from './runs/figures-report.ts'
export type { UnreadParams } from './runs/load-run.ts'
export type { CurrencyRecord, OrderRecord, PerformanceRecord, PerformanceTotals } from './runs/performance-report.ts'
export type { JournalRequest, ReadableRun } from './runs/readable-run.ts'
export type { RunFault } from './runs/run-fault.ts'
export type { FeedReport, RunFeeds } from './runs/run-feeds.ts'
export type { CheckOptions } from './runs/run-file.ts'
export type * from './runs/run-report.ts'
export type { ShrinkOptions, ShrunkScenario } from './runs/shrink.ts'
export * from './runs/version.ts'
export * from './scenario-reporter.ts'
export { nodeSha256 } from './sha256.ts'
export { isSystemError, systemWords } from './system-words.ts'
export type { TableBatch, TableColumn, TableColumns } from './table-cells.ts'
