import { ok } from 'node:assert/strict'

import type { GenerateResult } from '../../generate/result.ts'
import { cachedReply, reasonedReply } from './codec-results.ts'
import type { CodecStage, StageCheck } from './codec-stage.ts'

/** Parts of a reply that a dialect may lack, but neither miscounts nor loses in silence. */
export const replyChecks: readonly StageCheck[] = [
  {
    name: 'the tokens of a cache are counted once, and are part of the input',
    run(stage) {
      const { usage } = cachedReply
      for (const { read } of bothWays(stage, cachedReply)) {
        const wrong = Object.entries({ inputTokens: undefined, ...read?.usage }).filter(
          ([name, tokens]) => tokens !== usage[name as keyof typeof usage],
        )
        ok(
          wrong.length === 0,
          `wrote ${JSON.stringify(usage)}, read ${JSON.stringify(read?.usage)}`,
        )
      }
    },
  },
  {
    name: 'reasoning of a reply comes back, or is a loss',
    run(stage) {
      for (const { read, lost } of bothWays(stage, reasonedReply)) {
        const [content = []] = read?.choices.map((choice) => choice.content) ?? []
        const texts = content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
        ok(lost.length > 0 || texts.join('') === 'Hm.', `read ${JSON.stringify(content)}`)
      }
    },
  },
]

interface ReadReply {
  readonly read: GenerateResult | undefined
  readonly lost: readonly string[]
}

/** A reply as it is read whole, and from its stream, each with its losses. */
export function bothWays(stage: CodecStage, result: GenerateResult): ReadReply[] {
  const whole = stage.resultTrip(result) as GenerateResult
  const lost = stage.dropped.splice(0)
  const { result: streamed } = stage.eventTrip(result)
  return [
    { read: whole, lost },
    { read: streamed, lost: stage.dropped.splice(0) },
  ]
}
