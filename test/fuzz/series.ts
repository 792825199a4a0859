import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { type Case, caseOf } from './case.ts'
import { type Corpus, corpusOf } from './corpus.ts'
import { complaintsOf } from './judge.ts'

export interface SeriesOptions {
  readonly seed: number
  readonly account: DialectName
  /** Numbers of cases, from the first to before the last. */
  readonly from: number
  readonly to: number
  /** All in turn where absent. */
  readonly client?: DialectName | undefined
  /** Called before each case. */
  readonly onCase?: (number: number) => void
}

/** A case that went wrong. */
export interface Failure {
  readonly one: Case
  readonly complaints: readonly string[]
}

/** Cases of one account's dialect, of which each is for the next client. Ends at `most` failures. */
export async function runSeries(options: SeriesOptions, most = 5): Promise<Failure[]> {
  const { seed, account, from, to, client, onCase } = options
  const corpus = corpusOf(account)
  const failures: Failure[] = []
  for (let number = from; number < to && failures.length < most; number++) {
    onCase?.(number)
    const asking = client ?? dialectNames[number % dialectNames.length]!
    const one = caseOf(seed, { account, client: asking, number }, corpus)
    const complaints = await complaintsOf(one)
    if (complaints.length > 0) failures.push({ one, complaints })
  }
  return failures
}

/** What is wrong with replies that nobody has touched. */
export async function untouched(account: DialectName, corpus: Corpus): Promise<string[]> {
  const complaints: string[] = []
  for (const client of dialectNames) {
    for (const [number, frames] of corpus.streams.entries()) {
      const one = { account, client, number, kind: 'stream', frames, chunk: 0, asArray: false }
      complaints.push(...(await complaintsOf(one as Case)))
    }
    for (const [number, body] of corpus.bodies.entries()) {
      complaints.push(...(await complaintsOf({ account, client, number, kind: 'body', body })))
    }
  }
  return complaints
}
