/**
 * The declaration of the outputs of `--json` by command. `pitclock schema output` derives its JSON Schemas from it.
 * Fields may be added; `version` increases if a field is removed or changes its meaning.
 */
import type {
  ConvertReport,
  Explanation,
  FuzzReport,
  InputError,
  Inspection,
  MetricsComparison,
  QueryResult,
  ReportFile,
  RunComparison,
  RunExport,
  RunReport,
  Server,
  ShrunkScenario,
  TardisFeedReport,
  TardisManifest,
} from '../src/node.ts'

/** The version of an output, and its errors. */
interface Versioned {
  readonly version: 1
  /** Reasons why the exit code is not 0, each with its code and place; absent without errors. */
  readonly errors?: readonly InputError[]
}

/** The output of a command that failed before it had a result. */
export interface FailedOutput {
  readonly version: 1
  /** Reasons of the failure, each with its code and place. */
  readonly errors: readonly InputError[]
}

/** Findings of a check of a file without a run. */
export interface FileCheck {
  readonly file: string
  /** Mistakes, one line each; empty for a valid file. */
  readonly errors: readonly string[]
  /** The same mistakes with their codes and places. */
  readonly mistakes: readonly InputError[]
}

/** Completed runs. */
interface RunsOutput extends Versioned {
  /** Runs with a summary, in the order of the arguments. */
  readonly runs: readonly RunReport[]
}

/** Installed versions, and the self-test. */
interface DoctorOutput {
  readonly pitclock: string
  readonly node: string
  readonly platform: string
  readonly self_test: 'ok' | 'differs'
  readonly digest: string
  readonly expected_digest: string
}

/** The address of a running server, and the keys of its clients. */
interface ServerReady {
  readonly version: 1
  readonly port: number
  readonly url: string
  readonly socket_url: string
  readonly gateway_url: string
  readonly clock: string
  readonly keys: Server['keys']
  /** The virtual clock. */
  readonly time: string
}

/** A new project. */
interface ProjectFiles extends Versioned {
  readonly dir: string
  /** Names of the written files. */
  readonly files: readonly string[]
}

/** The output of each command with `--json`; for `serve` with `--ready-json`. */
export interface JsonOutputs {
  readonly run: RunsOutput | (Versioned & { readonly checks: readonly FileCheck[] }) | FailedOutput
  readonly resume: RunsOutput | FailedOutput
  readonly convert:
    | (Versioned & { readonly tapes: readonly ConvertReport[] })
    | (Versioned & { readonly texts: readonly TardisFeedReport[] })
    | (Versioned & { readonly export: TardisManifest })
    | FailedOutput
  readonly inspect: (Versioned & Inspection) | FailedOutput
  readonly diff: RunComparison | FailedOutput
  readonly compare: (Versioned & MetricsComparison) | FailedOutput
  readonly report: (Versioned & ReportFile) | FailedOutput
  readonly explain: (Versioned & Explanation) | FailedOutput
  readonly shrink: (Versioned & ShrunkScenario) | FailedOutput
  readonly fuzz: (Versioned & FuzzReport) | FailedOutput
  readonly export: (Versioned & RunExport) | FailedOutput
  readonly query: (Versioned & QueryResult) | FailedOutput
  readonly doctor: DoctorOutput | FailedOutput
  readonly serve: ServerReady | FailedOutput
  readonly init: ProjectFiles | FailedOutput
  /** Only failures; the command prints a schema without an envelope. */
  readonly schema: FailedOutput
}
