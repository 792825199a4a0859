import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { TokenLogprob } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** Reads `logprobsResult` of a candidate or a chunk. */
export function readLogprobs(result: JsonObject): TokenLogprob[] {
  const tops = Array.isArray(result.topCandidates) ? (result.topCandidates as unknown[]) : []
  return objectsIn(result.chosenCandidates).map((chosen, index) => {
    const top = tops[index] as JsonObject | null | undefined
    return { ...tokenOf(chosen), top: objectsIn(top?.candidates).map(tokenOf) }
  })
}

function tokenOf(candidate: JsonObject): Omit<TokenLogprob, 'top'> {
  return {
    token: stringAt(candidate, 'token') ?? '',
    logprob: numberAt(candidate, 'logProbability') ?? 0,
  }
}

/** Writes `logprobsResult`. */
export function writeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject {
  return {
    chosenCandidates: logprobs.map(candidateOf),
    topCandidates: logprobs.map(({ top }) => ({ candidates: top.map(candidateOf) })),
  }
}

function candidateOf({ token, logprob }: Omit<TokenLogprob, 'top'>): JsonObject {
  return { token, logProbability: logprob }
}
