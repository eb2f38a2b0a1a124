/**
 * Outputs of `--json` by command: the one declaration of them, from which `pitclock schema output` has JSON Schemas.
 * Fields may be added; `version` rises where one goes or means something else.
 */
import type {
  ConvertReport,
  InputError,
  Inspection,
  MetricsComparison,
  QueryResult,
  ReportFile,
  RunComparison,
  RunExport,
  RunReport,
  TardisFeedReport,
  TardisManifest,
} from '../src/node.ts'

/** The version of an output. */
interface Versioned {
  readonly version: 1
}

/** Findings of a check of a file without a run. */
export interface FileCheck {
  readonly file: string
  /** Mistakes, a line each; none where the file is in order. */
  readonly errors: readonly string[]
  /** The same mistakes, each with its code and its place. */
  readonly mistakes: readonly InputError[]
}

/** Runs that were made. */
interface RunsOutput extends Versioned {
  /** Runs that came to a summary, in the order of the arguments. */
  readonly runs: readonly RunReport[]
}

/** Versions that are installed, and the self-test. */
interface DoctorOutput {
  readonly pitclock: string
  readonly node: string
  readonly platform: string
  readonly self_test: 'ok' | 'differs'
  readonly digest: string
  readonly expected_digest: string
}

/** The output of each command with `--json`. */
export interface JsonOutputs {
  readonly run: RunsOutput | (Versioned & { readonly checks: readonly FileCheck[] })
  readonly resume: RunsOutput
  readonly convert:
    | (Versioned & { readonly tapes: readonly ConvertReport[] })
    | (Versioned & { readonly texts: readonly TardisFeedReport[] })
    | (Versioned & { readonly export: TardisManifest })
  readonly inspect: Versioned & Inspection
  readonly diff: RunComparison
  readonly compare: Versioned & MetricsComparison
  readonly report: Versioned & ReportFile
  readonly export: Versioned & RunExport
  readonly query: Versioned & QueryResult
  readonly doctor: DoctorOutput
}
