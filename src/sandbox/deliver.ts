import type { ContentReply, JsonReply, Reply } from './provider.ts'
import type { Directives } from './steering/directives.ts'
import { directedProblem } from './steering/failures.ts'
import { type Delivery, runSteps } from './wire/run-steps.ts'
import { type Stream, stepsOfBody, stepsOfStream } from './wire/steps.ts'

/** Sends a reply as the directives demand. `openStreams` contains the streams until they close. */
export async function deliver(
  reply: Reply,
  directives: Directives,
  delivery: Delivery,
  openStreams: Set<Delivery>,
): Promise<void> {
  if ('content' in reply) return deliverContent(reply, directives, delivery)
  const { stream } = reply
  if (!stream || directives.json) return deliverJson(reply, directives, delivery)
  openStreams.add(delivery)
  delivery.signal.addEventListener('abort', () => openStreams.delete(delivery))
  await deliverStream(stream, directives, delivery)
}

// Outside of a stream, an error can only be a status.
async function deliverJson(
  { json, headers = {} }: JsonReply,
  directives: Directives,
  delivery: Delivery,
): Promise<void> {
  if (directives.error !== undefined) throw directedProblem(directives, 500)
  const { response } = delivery
  const body = Buffer.from(JSON.stringify(json))
  response.setHeader('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (!endsEarly(directives)) response.setHeader('content-length', body.length)
  await runSteps(stepsOfBody(body, directives), delivery)
}

async function deliverContent(
  { content, status, headers }: ContentReply,
  directives: Directives,
  delivery: Delivery,
): Promise<void> {
  const { response } = delivery
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (!endsEarly(directives)) response.setHeader('content-length', content.length)
  await runSteps(stepsOfBody(content, directives), delivery)
}

async function deliverStream(
  stream: Stream,
  directives: Directives,
  delivery: Delivery,
): Promise<void> {
  delivery.response.setHeader('content-type', contentTypes[stream.framing])
  delivery.response.setHeader('cache-control', 'no-cache')
  await runSteps(stepsOfStream(stream, directives), delivery)
}

const contentTypes = {
  sse: 'text/event-stream; charset=utf-8',
  'json-array': 'application/json; charset=utf-8',
  'aws-messages': 'application/vnd.amazon.eventstream',
}

// A body that ends early and cleanly must not announce its length.
function endsEarly({ eof, halfeof }: Directives): boolean {
  return eof !== undefined || halfeof !== undefined
}
