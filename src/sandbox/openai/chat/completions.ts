import { numberOf, objectOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { decide } from '../../text/decide.ts'
import { directedProblem } from '../../steering/failures.ts'
import { openai, renderOpenAiError } from '../provider.ts'
import { checkChatRequest } from './check-request.ts'
import { renderCompletionChunks } from './chunks.ts'
import { readChatRequest } from './read-request.ts'
import { newCompletionHeading, renderChatCall, renderCompletion } from './reply.ts'

/** `POST /v1/chat/completions`. */
export const chatCompletions: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/chat\/completions$/,
  hasBody: true,
  answer,
}

function answer({ account, body, directives }: Call): Reply {
  checkChatRequest(body)
  const ask = readChatRequest(body)
  const decided = decide(ask, directives, account.id)
  const heading = newCompletionHeading(ask.model, account.id)
  const choices = numberOf(body['n']) ?? 1
  const calls = Array.from({ length: choices }, () => decided.calls.map(renderChatCall))
  const json = renderCompletion(heading, decided, calls)
  if (body['stream'] !== true) return { json }

  const includeUsage = objectOf(body['stream_options'])['include_usage'] === true
  const frames = renderCompletionChunks(heading, decided, calls, includeUsage)
  const failure = [{ data: { error: renderOpenAiError(directedProblem(directives, 500)) } }]
  return { json, stream: { frames, failure, framing: 'sse' } }
}
