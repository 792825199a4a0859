import type { Problem } from '../contract/problems.ts'

/** A problem of an input, or of the configuration of some processes. */
export interface FoundProblem extends Problem {
  /** The processes whose configuration has it. Absent: no other process was asked. */
  readonly processIds?: readonly string[]
}

/** A problem of the configuration of some processes. */
export type FoundThere = FoundProblem & Required<Pick<FoundProblem, 'processIds'>>

/** Why an act did not happen: a member of the union that each mutation answers. */
export type ActFailure =
  | { readonly failure: 'NotFound'; readonly message: string }
  | { readonly failure: 'Conflict'; readonly message: string; readonly about?: Subject }
  | { readonly failure: 'ManagedByFile'; readonly message: string; readonly fix: string }
  | {
      readonly failure: 'Invalid'
      readonly message: string
      readonly problems: readonly FoundProblem[]
    }
  | { readonly failure: 'StoreUnavailable'; readonly message: string }

/** The record that another one has changed. */
interface Subject {
  /** Such as `account`. */
  readonly type: string
  readonly id: string
}

/** Nothing of this id exists. */
export function notFound(type: string, id: string): ActFailure {
  return { failure: 'NotFound', message: `There is no ${type} "${id}".` }
}

/** The state of the thing, or a concurrent change, prevents the act. */
export function conflict(message: string, about?: Subject): ActFailure {
  return { failure: 'Conflict', message, ...(about && { about }) }
}

/** The failure of an act on a record of the configuration. `file`: the name of its file; absent without one. */
export function managedByFile(
  { type, id, path }: { readonly type: string; readonly id: string; readonly path: string },
  file: string | undefined,
): ActFailure {
  if (file === undefined) {
    return {
      failure: 'ManagedByFile',
      message: `The ${type} "${id}" is in the configuration of the start, which has no file.`,
      fix: `write a configuration file (\`dragoman init\`) without it or with another ${path}, and start with that`,
    }
  }
  return {
    failure: 'ManagedByFile',
    message: `The ${type} "${id}" is in the configuration file.`,
    fix: `change ${path} in the configuration file`,
  }
}

/** The input has these problems. */
export function invalid(problems: readonly Problem[]): ActFailure {
  return { failure: 'Invalid', message: `${listed(problems)}.`, problems }
}

/** The record is not of the version that the operator read. `name`: what operators call it. */
export function otherVersion(type: string, id: string, name = id): ActFailure {
  return conflict(`The ${type} "${name}" has changed since it was read.`, { type, id })
}

/** The configurations of processes have these problems. */
export function invalidThere(problems: readonly FoundThere[]): ActFailure {
  const groups = Map.groupBy(problems, ({ processIds }) => processIds.join(', '))
  const parts = [...groups].map(([ids, those]) => `${ids}: ${listed(those)}`)
  return { failure: 'Invalid', message: `${parts.join('. ')}.`, problems }
}

function listed(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join('; ')
}

/** The store cannot write the act or its audit record. */
export function storeUnavailable(
  message = 'The store does not answer. Nothing was changed.',
): ActFailure {
  return { failure: 'StoreUnavailable', message }
}

/** Whether an act has failed. */
export function isFailure(result: object): result is ActFailure {
  return 'failure' in result
}
