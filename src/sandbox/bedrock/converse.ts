import type { Call, Endpoint, Reply } from '../provider.ts'
import { directedProblem } from '../steering/failures.ts'
import { decide } from '../text/decide.ts'
import { countTokens } from '../text/words.ts'
import type { Frame } from '../wire/frame.ts'
import { checkConverseRequest, checkCountRequest } from './check-request.ts'
import { renderConverseEvents } from './events.ts'
import { bedrock, exceptionOf } from './provider.ts'
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
  const problem = directedProblem(call.directives, 503)
  const failure: Frame = {
    name: camelCase(exceptionOf(problem)),
    data: { message: problem.message },
    isException: true,
  }
  const frames = renderConverseEvents(call.body, json, answer)
  return { json, stream: { frames, failure: [failure], framing: 'aws-messages' } }
}

function camelCase(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

function count({ account, params, body }: Call): Reply {
  const counted = checkCountRequest(body, account)
  return {
    json: { inputTokens: countTokens(readConverseRequest(modelOf(params), counted).inputText) },
  }
}
