import { isPresent } from '../../../../src/checks.ts'
import type { JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import type { AnswerKept } from '../../../../src/kept.ts'

/** What an account does with a history of its own only, and not with one that the gateway keeps. */
export function onlyForAccounts(what: string): AnswerKept {
  return ({ body }) => {
    const isChained = isPresent(body.json, 'previous_response_id')
    const param = isChained ? 'previous_response_id' : conversationOrInput(body.json)
    throw new GatewayError(
      'invalid_value',
      `\`${param}\`: the gateway keeps it itself, and ${what} only what the request tells in full.`,
      { param },
    )
  }
}

function conversationOrInput(json: JsonObject): string {
  return isPresent(json, 'conversation') ? 'conversation' : 'input'
}
