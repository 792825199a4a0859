import { wrong } from '../../../../../src/kit/checks.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'
import type { RequestObject } from './request-object.ts'

/** A function call of the history, or a piece of one, in the dialect's own spelling. */
export interface CallPiece extends JsonObject {
  readonly args: unknown
  readonly partialArgs: readonly JsonObject[]
  /** Whether another piece of the call follows. */
  readonly continues: boolean
  /** Whether it is only the end of a call. */
  readonly isEmpty: boolean
}

/** Reads the arguments of a call. Throws `invalid_value` for arguments of another type. */
export function readPiece(call: RequestObject): CallPiece {
  const args = call.value('args')
  if (args !== undefined && !isObject(args)) throw wrong(call.pathOf('args'), 'an object')
  checkDepth(args, call.pathOf('args'))
  const partialArgs = call.objects('partialArgs').map(readPartialArgument)
  const continues = call.boolean('willContinue') ?? partialArgs.at(-1)?.willContinue === true
  const isEmpty = args === undefined && partialArgs.length === 0 && !continues
  return { args, partialArgs, continues, isEmpty }
}

function readPartialArgument(piece: RequestObject): JsonObject {
  const isNull = 'nullValue' in piece.json || 'null_value' in piece.json
  return {
    jsonPath: piece.text('jsonPath'),
    stringValue: piece.text('stringValue'),
    numberValue: piece.number('numberValue'),
    boolValue: piece.boolean('boolValue'),
    willContinue: piece.boolean('willContinue'),
    ...(isNull && { nullValue: null }),
  }
}
