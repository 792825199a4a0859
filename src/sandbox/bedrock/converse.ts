import { objectOf } from '../json.ts'
import { badRequest } from '../problem.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { directedProblem } from '../steering/failures.ts'
import { decide } from '../text/decide.ts'
import { countTokens } from '../text/words.ts'
import { checkConverseRequest, checkCountRequest } from './check-request.ts'
import { renderConverseEvents } from './events.ts'
import { countInvoked } from './invoke.ts'
import { bedrock, exceptionFrame } from './provider.ts'
import { readConverseRequest } from './read-request.ts'
import { renderConverse } from './reply.ts'

const onModel = { provider: bedrock, method: 'POST', hasBody: true, modelOf } as const

/** `POST /model/{id}/converse`, `/converse-stream` and `/count-tokens`. */
export const converse: Endpoint[] = [
  { ...onModel, path: /^\/model\/(?<model>[^/]+)\/converse$/, answer: createReply },
  { ...onModel, path: /^\/model\/(?<model>[^/]+)\/converse-stream$/, answer: createStream },
  { ...onModel, path: /^\/model\/(?<model>[^/]+)\/count-tokens$/, answer: count },
]

function modelOf({ model = '' }: Record<string, string>): string {
  return model
}

function decided({ account, params, body, directives }: Call) {
  checkConverseRequest(body, account)
  const answer = decide(readConverseRequest(modelOf(params), body), directives, account.id)
  return { answer, json: renderConverse(body, answer, account) }
}

function createReply(call: Call): Reply {
  return { json: decided(call).json }
}

function createStream(call: Call): Reply {
  const { answer, json } = decided(call)
  const failure = [exceptionFrame(directedProblem(call.directives, 503))]
  const frames = renderConverseEvents(call.body, json, answer)
  return { json, stream: { frames, failure, framing: 'aws-messages' } }
}

function count(call: Call): Reply {
  const { account, params, body } = call
  // Profiles count nothing: their models do.
  if (/^(?:arn:|(?:us|eu|apac|jp|au|ca|global)\.)/.test(modelOf(params)))
    throw badRequest("The provided model doesn't support counting tokens.")
  const invoked = objectOf(objectOf(body['input'])['invokeModel'])['body']
  if (typeof invoked === 'string') return countInvoked(call, invoked)
  const counted = checkCountRequest(body, account)
  return {
    json: { inputTokens: countTokens(readConverseRequest(modelOf(params), counted).inputText) },
  }
}
