import assert from 'node:assert/strict'

import { startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type JaegerSpan, buildJaeger, startJaeger } from './jaeger.ts'

// `npm run test:jaeger`: sends calls through a gateway, and finds their traces in a real Jaeger. The first run
// builds Jaeger from its Go modules, which takes some minutes.

const began = performance.now()
const binary = await buildJaeger()
report('Jaeger is built')

await using jaeger = await startJaeger(binary)
await using sandbox = await startSandbox()
const account = (id: string, priority: number, model: string) => ({
  id,
  provider: 'sandbox',
  baseUrl: sandbox.url,
  apiKey: `sandbox-key-${id}`,
  speaks: ['chat', 'videos'],
  models: { m: model, video: 'sandbox/polls=2' },
  priority,
})
const gateway = await createTestGateway({
  accounts: [account('a', 0, 'sandbox/status=503'), account('b', 1, 'sandbox/echo')],
  telemetry: { traces: { endpoint: jaeger.endpoint } },
})
report('Jaeger and the gateway run')

const conversation = await post('/v1/conversations', { metadata: {} })
const turn = await post('/v1/responses', {
  model: 'm',
  input: 'hello',
  stream: true,
  conversation: conversation.id,
})
const chained = await post('/v1/responses', {
  model: 'm',
  input: 'again',
  stream: true,
  previous_response_id: responseIn(turn.text),
})
const job = await post('/v1/videos', { model: 'video', prompt: 'a' })
const polls = [await get(`/v1/videos/${job.id}`), await get(`/v1/videos/${job.id}`)]
await gateway[Symbol.asyncDispose]()

assert.deepEqual(await jaeger.services(), ['dragoman'])
const failedOver = await jaeger.trace(turn.traceId, 8)
assert.deepEqual(treeOf(failedOver), [
  'POST /v1/responses',
  '  dragoman.auth',
  '  dragoman.decode',
  '  dragoman.record',
  '  dragoman.route',
  '  chat m',
  '    POST',
  '    POST',
])
const server = spanOf(failedOver, 'POST /v1/responses')
assert.deepEqual(linksOf(server), [conversation.traceId])
assertTags(server, {
  'span.kind': 'server',
  'http.response.status_code': 200,
  'http.route': '/v1/responses',
  'dragoman.stream.end': 'completed',
  'dragoman.attempts': 2,
})
const operation = spanOf(failedOver, 'chat m')
assertTags(operation, {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.conversation.id': conversation.id,
  'dragoman.account.id': 'b',
  'dragoman.translated': true,
})
const failover = operation.logs.map(({ fields }) => tagsIn(fields))
assert.ok(
  failover.some(
    (event) => event['dragoman.failover.from'] === 'a' && event['dragoman.failover.to'] === 'b',
  ),
)
const attempts = failedOver
  .filter(({ operationName }) => operationName === 'POST')
  .map(({ tags }) => tagsIn(tags))
const statuses = attempts.map((tags) => Number(tags['http.response.status_code']))
assert.deepEqual(
  statuses.toSorted((one, other) => one - other),
  [200, 503],
)
assert.deepEqual(attempts.map((tags) => tags['http.request.resend_count']).filter(Boolean), [1])
report(
  'a chained streamed call with a failover is found with its tree, its link and its attributes',
)

const continuing = await jaeger.trace(chained.traceId, 7)
assert.deepEqual(linksOf(spanOf(continuing, 'POST /v1/responses')), [turn.traceId])
report('a response that continues another links to it')

for (const poll of polls) {
  const spans = await jaeger.trace(poll.traceId, 5)
  assert.deepEqual(linksOf(spanOf(spans, 'GET /v1/videos/{id}')), [job.traceId])
}
report('the polls of a video link to the creation of its job')

interface Answer {
  readonly traceId: string
  readonly text: string
  readonly id: string
}

function post(path: string, body: object): Promise<Answer> {
  return ask(path, { method: 'POST', body: JSON.stringify(body) })
}

function get(path: string): Promise<Answer> {
  return ask(path, {})
}

async function ask(path: string, init: RequestInit): Promise<Answer> {
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const response = await fetch(gateway.url + path, { ...init, headers })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const id = text.startsWith('{') ? (JSON.parse(text) as { id: string }).id : ''
  return { traceId: response.headers.get('x-trace-id') ?? '', text, id }
}

function responseIn(stream: string): string {
  return /"id":"(resp_[^"]+)"/.exec(stream)?.[1] ?? ''
}

function spanOf(spans: readonly JaegerSpan[], name: string): JaegerSpan {
  const found = spans.filter(({ operationName }) => operationName === name)
  assert.equal(found.length, 1, `${name} in ${spans.map((one) => one.operationName).join(', ')}`)
  return found[0] as JaegerSpan
}

function parentOf({ references }: JaegerSpan): string | undefined {
  return references.find(({ refType }) => refType === 'CHILD_OF')?.spanID
}

function linksOf({ references }: JaegerSpan): string[] {
  return references.filter(({ refType }) => refType === 'FOLLOWS_FROM').map((one) => one.traceID)
}

function treeOf(spans: readonly JaegerSpan[], parent?: string, indent = ''): string[] {
  const order = ({ operationName }: JaegerSpan) => (operationName.startsWith('chat') ? 1 : 0)
  return spans
    .filter((span) => parentOf(span) === parent)
    .toSorted(
      (one, other) =>
        order(one) - order(other) || one.operationName.localeCompare(other.operationName),
    )
    .flatMap((span) => [indent + span.operationName, ...treeOf(spans, span.spanID, `${indent}  `)])
}

function tagsIn(tags: JaegerSpan['tags']): Record<string, unknown> {
  return Object.fromEntries(tags.map(({ key, value }) => [key, value]))
}

function assertTags({ tags }: JaegerSpan, expected: Readonly<Record<string, unknown>>): void {
  const all = tagsIn(tags)
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]))
  assert.deepEqual(found, expected)
}

function report(what: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${what}`)
}
