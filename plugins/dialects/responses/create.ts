import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { type LeastRequest, defineOperation } from '../../../src/contract/operation.ts'
import { rejectStored } from './transcripts/replies.ts'
import { recreateConversation } from './recreate.ts'
import { ResponsesObserver } from './observer.ts'
import { isCount } from '../../../src/kit/counting.ts'
import { type OwnMark, hasMessage, outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isResponse } from './codec/decode-reply/failure.ts'
import {
  answeredOutcome,
  compactionOutcome,
  createdOutcome,
  explainsEnd,
  plainOutcome,
} from './outcome.ts'
import { understandInput, understandResponses } from './request.ts'
import { compactSchemas, inputTokensSchemas, responsesSchemas } from './schema.ts'

const least: LeastRequest = {
  body: { input: 'Hello' },
  continues: {
    response: (id) => ({ previous_response_id: id }),
    conversation: (id) => ({ conversation: id }),
  },
  names: {
    item: (id) => ({ input: [{ type: 'item_reference', id }] }),
    container: (id) => ({ tools: [{ type: 'code_interpreter', container: id }] }),
  },
}

const outcomeOfAnswer = outcomeOfOwn(isResponse, answeredOutcome)
const backgroundOutcome = outcomeOfOwn(isResponse, createdOutcome)

/** `POST /v1/responses`. */
export const createResponse = defineOperation({
  id: 'responses.create',
  method: 'POST',
  paths: ['/v1/responses'],
  auth: 'key',
  capability: 'generate',
  summary: 'Create a response, streamed with `stream: true`',
  schema: responsesSchemas,
  replies: jsonOrEvents,
  understand: ({ request }, body) => understandResponses(request, body),
  least,
  forward: {
    target: ({ request }) => ({ path: '/v1/responses', query: request.query }),
    observer: (exchange) => new ResponsesObserver(exchange),
    recreate: recreateConversation,
    outcome: (json, { call }) => (call.nativeOnly ? backgroundOutcome : outcomeOfAnswer)(json),
    reportsFailure: explainsEnd,
    modelPaths: { reply: ['model'], frame: ['response', 'model'] },
  },
})

/** `POST /v1/responses/input_tokens`: counts the tokens of a response's input. */
export const countInputTokens = defineOperation({
  id: 'responses.input_tokens',
  method: 'POST',
  paths: ['/v1/responses/input_tokens'],
  auth: 'key',
  capability: 'count-tokens',
  summary: 'Count the input tokens of a response',
  schema: inputTokensSchemas,
  understand: ({ request }, body) => understandInput(request, body),
  least,
  forward: {
    target: ({ request }) => ({ path: '/v1/responses/input_tokens', query: request.query }),
    observer: (exchange) => new ResponsesObserver(exchange),
    recreate: recreateConversation,
    outcome: outcomeOfOwn(isCount('input_tokens'), plainOutcome),
    serveStored: rejectStored('accounts count'),
  },
})

/** A body without a part of a response is one if it has no message of an error. */
const isCompaction: OwnMark = (body) => isResponse(body) || !hasMessage(body)

/** `POST /v1/responses/compact`: shortens a history to items for the next input. */
export const compact = defineOperation({
  id: 'responses.compact',
  method: 'POST',
  paths: ['/v1/responses/compact'],
  auth: 'key',
  capability: 'compact',
  summary: 'Compact a history into items for the next input',
  schema: compactSchemas,
  understand: ({ request }, body) => understandInput(request, body),
  least,
  forward: {
    target: ({ request }) => ({ path: '/v1/responses/compact', query: request.query }),
    observer: (exchange) => new ResponsesObserver(exchange),
    recreate: recreateConversation,
    outcome: outcomeOfOwn(isCompaction, compactionOutcome),
    serveStored: rejectStored('accounts compact'),
  },
})
