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
  Server,
  TardisFeedReport,
  TardisManifest,
} from '../src/node.ts'

/** The version of an output, and what went wrong. */
interface Versioned {
  readonly version: 1
  /** Why the exit code is not 0, each with its code and its place; left out where nothing went wrong. */
  readonly errors?: readonly InputError[]
}

/** The output of a command that failed before it had anything to print. */
export interface FailedOutput {
  readonly version: 1
  /** Why it failed, each with its code and its place. */
  readonly errors: readonly InputError[]
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

/** The address of a server that listens, and who may come in. */
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

/** A project that was written. */
interface ProjectFiles extends Versioned {
  readonly dir: string
  /** Names of the files that were written. */
  readonly files: readonly string[]
}

/** The output of each command with `--json`; of `serve` with `--ready-json`. */
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
  readonly export: (Versioned & RunExport) | FailedOutput
  readonly query: (Versioned & QueryResult) | FailedOutput
  readonly doctor: DoctorOutput | FailedOutput
  readonly serve: ServerReady | FailedOutput
  readonly init: ProjectFiles | FailedOutput
  /** Failures alone; a schema is printed as it is. */
  readonly schema: FailedOutput
}
