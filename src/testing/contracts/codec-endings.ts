import { deepEqual, equal, ok } from 'node:assert/strict'

import { GatewayError } from '../../contract/errors.ts'
import type { GenerateResult, StopReason } from '../../generate/result.ts'
import { endsWith, results } from './codec-results.ts'
import type { CodecStage, StageCheck } from './codec-stage.ts'
import { bothWays } from './codec-replies.ts'
import { plainEvents } from './plain-events.ts'

/** Endings that are no ordinary ones. A dialect may name them otherwise, or has to report a loss. */
const unfinished: readonly StopReason[] = ['context', 'filtered', 'refused']

/** How replies end: with which reason, and by which frames of a stream. */
export const endingChecks: readonly StageCheck[] = [
  ...unfinished.map((reason) => ({
    name: `a reply that ends with \`${reason}\` is no ordinary one, or a loss`,
    run(stage: CodecStage) {
      for (const { read, lost } of bothWays(stage, endsWith(reason))) {
        const found = reasonOf(read)
        ok(found !== undefined, 'the reply is read')
        ok(lost.length > 0 || !isOrdinary(found), `\`${reason}\` is read as \`${found}\``)
      }
    },
  })),
  {
    name: 'a stream without the frame that has the reason of its end has no `finish`',
    run(stage) {
      for (const result of [endsWith('length'), endsWith('stop')]) {
        const found = stage.withoutEach(result)
        for (const read of found) if (read) equal(reasonOf(read), reasonOf(result))
        ok(
          found.some((read) => read === undefined),
          'a frame has the reason of the end, and no reply is complete without it',
        )
      }
    },
  },
  {
    name: 'the events of a broken stream are an error or end without `finish`',
    run(stage) {
      const { events, ending } = stage.eventTrip(results['a text']!, broken)
      ok(!events.some(({ type }) => type === 'finish'), 'a broken stream has no `finish`')
      ok(ending === 'reset' || events.at(-1)?.type === 'error', 'the error is read as one')
    },
  },
  {
    name: 'the error of a broken stream is framed as an error',
    run(stage) {
      const { lastFrames } = stage.eventTrip(results['a text']!, broken)
      deepEqual(plainEvents(stage.framing, lastFrames), [], 'no error is framed as a plain event')
    },
  },
]

const broken = new GatewayError('upstream_stream_broken', 'The stream broke.')

function reasonOf(result: GenerateResult | undefined): StopReason | undefined {
  return result?.choices[0]?.stop.reason
}

function isOrdinary(reason: StopReason): boolean {
  return reason === 'stop' || reason === 'tool_calls'
}
