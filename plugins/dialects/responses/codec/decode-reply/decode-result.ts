import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../../../src/generate/content.ts'
import type { ErrorEvent, StartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { objectsIn, stringAt } from '../../../../../src/lib/json/read.ts'
import { failureIn } from './failure.ts'
import { partsOfItem } from './output-parts.ts'
import { ReplyNames } from './reply-names.ts'
import { readStop } from '../stop.ts'
import { readUsage } from '../usage.ts'

/** Decodes an account's JSON response. Throws `upstream_invalid_reply` if it is unfinished. */
export function decodeResult(
  reply: JsonObject,
  request: GenerateRequest,
): GenerateResult | ErrorEvent {
  const failed = failureIn(reply)
  if (failed) return failed
  checkFinished(reply)
  const names = new ReplyNames(request)
  names.responseId = stringAt(reply, 'id') ?? ''
  const content = objectsIn(reply.output).flatMap((item, place) => partsOfItem(item, place, names))
  const stop = readStop(reply, {
    hasCalls: content.some((part) => part.type === 'tool_call'),
    hasRefusal: content.some((part) => part.type === 'refusal'),
  })
  const choices: [{ content: AssistantPart[]; stop: typeof stop }] = [{ content, stop }]
  return { ...headOf(reply), choices, usage: readUsage(reply) }
}

/** Returns the members of a response that are known before its first output. */
export function headOf(response: JsonObject): Omit<StartEvent, 'type'> {
  const id = stringAt(response, 'id')
  const model = stringAt(response, 'model')
  const serviceTier = stringAt(response, 'service_tier')
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(serviceTier !== undefined && { serviceTier }),
  }
}

function checkFinished({ status, output }: JsonObject): void {
  const isFinished = status !== 'queued' && status !== 'in_progress'
  if (Array.isArray(output) && isFinished) return
  const defect = isFinished ? 'has no output' : 'is not finished'
  throw new GatewayError('upstream_invalid_reply', `The upstream's response ${defect}.`)
}
