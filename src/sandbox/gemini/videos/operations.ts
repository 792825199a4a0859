import type { Account } from '../../accounts.ts'
import { type JsonObject, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { object, string } from '../../shape.ts'
import { pollVideoJob } from '../../video/video-job.ts'
import type { VideoOperation } from '../../stored.ts'
import { gemini } from '../provider.ts'
import { longName, matchesPlace, readName } from './names.ts'
import { renderResult } from './result.ts'

/** Status requests: with the name in the path, or in the body as in Google Cloud. */
export const operations: Endpoint[] = [
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1(?:beta1?|alpha)?\/(?<name>(?:.+\/)?operations\/[^/]+)$/,
    hasBody: false,
    answer: (call) => getOperation(call, call.params['name'] ?? ''),
  },
  {
    provider: gemini,
    method: 'POST',
    path: /^\/v1(?:beta1?|alpha)?\/(?<resource>.+):fetchPredictOperation$/,
    hasBody: true,
    answer: fetchOperation,
  },
]

const fetchRequest = object({ required: { operationName: string({ min: 1 }) } })

function fetchOperation(call: Call): Reply {
  fetchRequest(call.body, [])
  const name = textOf(call.body['operationName'])
  const resource = call.params['resource'] ?? ''
  if (name !== resource && !name.startsWith(`${resource}/`))
    throw badRequest(`The operation '${name}' does not belong to '${resource}'.`)
  return getOperation(call, name)
}

function getOperation({ account, origin }: Call, name: string): Reply {
  const operation = find(account, name)
  const { status } = pollVideoJob(operation.job)
  return { json: render(operation, status, account, origin) }
}

function find(account: Account, name: string): VideoOperation {
  const parsed = readName(name)
  const operation = parsed && account.operations.get(parsed.id)
  if (!parsed || !operation || !matchesPlace(parsed, operation.place))
    throw new Problem(404, `Operation '${name}' not found.`)
  return operation
}

// Like Google's, an unfinished operation has no member `done`.
function render(
  operation: VideoOperation,
  status: string,
  account: Account,
  origin: string,
): JsonObject {
  const name = longName(operation.place, operation.id)
  if (status === 'failed') return { name, done: true, error: renderFailure(operation) }
  if (status !== 'completed') return { name }
  return { name, done: true, response: renderResult(operation, account, origin) }
}

const internal = 13

function renderFailure({ job }: VideoOperation): JsonObject {
  const { fails = '', message = 'sandbox: the operation failed, as directed' } = job.directives
  return { code: /^\d+$/.test(fails) ? Number(fails) : internal, message }
}
