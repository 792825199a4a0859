import { type AnswerError, quoted } from './failures.ts'
import type { Operation } from './operations.ts'

/** The admin API: of a running gateway, or on the store. Calls reject with `CommandError`. */
export interface AdminClient {
  /** For messages. */
  readonly origin: string
  /** False if the configuration has problems: then how calls are answered is not known. */
  readonly knowsAccounts: boolean
  /** Executes a query or a mutation. */
  request<Data>(operation: Operation<Data>, variables?: object): Promise<Data>
}

/** The answer to an operation. */
export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly Pick<AnswerError, 'message'>[] | undefined
  readonly extensions?: unknown
}

/** How a command reads an answer that may be incomplete. */
interface AnswerReading {
  readonly say: (text: string) => void
  readonly sayIncomplete: (extensions: unknown) => Promise<void>
  /** The error of an answer with errors, or without data. */
  readonly failure: () => unknown
}

/** The data of an answer. Says what it lacks. Throws for errors, except beside the result of an act. */
export async function readAnswer<Data>(
  { data, errors, extensions }: Answer,
  { isAct }: Operation<Data>,
  { say, sayIncomplete, failure }: AnswerReading,
): Promise<Data> {
  await sayIncomplete(extensions)
  const isAnswered = Object.values(Object(data) as object).some((one) => one !== null)
  if (errors && errors.length > 0) {
    if (!(isAct && isAnswered)) throw failure()
    // The act stays done, and only this answer has a new secret.
    say(
      `A part of the answer is missing: ${errors.map(({ message }) => quoted(message)).join(' ')}`,
    )
  }
  if (typeof data === 'object' && data !== null) return data as Data
  throw failure()
}
