import { equal, match } from 'node:assert/strict'

import type { GenerateRequest } from '../../generate/request.ts'
import type { GenerateResult } from '../../generate/result.ts'
import { namedCall, requestOfTool } from './codec-requests.ts'
import { callOf } from './codec-results.ts'
import type { CodecStage, StageCheck } from './codec-stage.ts'

/** Names of tools and ids of calls that some providers refuse. */
const unusual: Readonly<Record<string, string>> = {
  'with special characters': 'wetter.jetzt/ü now',
  'that is long': `a${'b'.repeat(150)}`,
}

/** Tools of any name: the account gets one name that it accepts, and the client gets back its own. */
export function toolChecks(accepted: RegExp): StageCheck[] {
  return Object.entries(unusual).map(([kind, name]) => ({
    name: `a tool of a name ${kind} has one name for accounts, and its own in replies`,
    run(stage) {
      const asked = requestOfTool(name)
      const shown = nameFor(stage, asked, accepted)
      const reply = callOf(shown)
      for (const read of [
        stage.resultTrip(reply, asked) as GenerateResult,
        stage.eventTrip(reply, undefined, asked).result,
      ]) {
        equal(
          namedCall(read?.choices[0]?.content)?.name,
          name,
          'a reply has the name of the client',
        )
      }
    },
  }))
}

/** The name of the tool as the account gets it. */
function nameFor(stage: CodecStage, asked: GenerateRequest, accepted: RegExp): string {
  const { tools, toolChoice, turns } = stage.roundTrip(asked)
  const name = tools[0]?.name ?? ''
  match(name, accepted, 'the account accepts the name of the tool')
  for (const only of toolChoice?.only ?? [])
    equal(only, name, 'the choice has the name of the tool')
  const call = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.content : []))
  equal(namedCall(call)?.name, name, 'a call has the name of its tool')
  const [result] = turns.flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
  equal(result?.callId, namedCall(call)?.id, 'a result has the id of its call')
  return name
}
