import { numberOf, objectOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { decide } from '../../script/decide.ts'
import { orderedProblem } from '../../steering/misbehave.ts'
import { openai, renderError } from '../provider.ts'
import { checkRequest } from './check.ts'
import { renderChunks } from './chunks.ts'
import { readAsk } from './read-ask.ts'
import { newHeading, renderCall, renderCompletion } from './reply.ts'

/** `POST /v1/chat/completions`. */
export const chatCompletions: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/chat\/completions$/,
  hasBody: true,
  answer,
}

function answer({ account, body, directives }: Call): Reply {
  checkRequest(body)
  const ask = readAsk(body)
  const decided = decide(ask, directives, account.id)
  const heading = newHeading(ask.model, account.id)
  const choices = numberOf(body['n']) ?? 1
  const calls = Array.from({ length: choices }, () => decided.calls.map(renderCall))
  const json = renderCompletion(heading, decided, calls)
  if (body['stream'] !== true) return { json }

  const includeUsage = objectOf(body['stream_options'])['include_usage'] === true
  const frames = renderChunks(heading, decided, calls, includeUsage)
  const failure = [{ data: { error: renderError(orderedProblem(directives, 500)) } }]
  return { json, stream: { frames, failure, framing: 'sse' } }
}
