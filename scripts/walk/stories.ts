import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

/** A gateway in front of the sandbox, and one call that can be made any number of times. */
export interface Story extends AsyncDisposable {
  /** Makes the call and resolves when the gateway has settled it. */
  call(): Promise<void>
}

type Prepare = (
  gateway: TestGateway,
) => Promise<() => Promise<Response>> | (() => Promise<Response>)

/** What one call of each story is, and the accounts that serve it. */
const stories = {
  'chat-stream': [native('chat'), chat({ stream: true })],
  'chat-json': [native('chat'), chat({})],
  chained: [native('responses'), chained],
  'translated-stream': [native('messages'), chat({ stream: true })],
  'video-create': [native('videos'), createVideo],
  'video-poll': [native('videos'), pollVideo],
  'admin-accounts': [native('chat'), listAccounts],
} satisfies Record<string, [AccountConfig, Prepare]>

export type StoryName = keyof typeof stories
export const storyNames = Object.keys(stories) as StoryName[]

/** Starts the gateway of a story and makes the call once, so that the next calls are warm. */
export async function startStory(name: StoryName): Promise<Story> {
  const [account, prepare] = stories[name]
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const accounts = [{ ...account, baseUrl: sandbox.url }]
  const gateway = opening.use(
    // The rows of a call are written at a time of their own, which may be within another call.
    await createTestGateway({ accounts, admin: name === 'admin-accounts', history: false }),
  )
  const request = await prepare(gateway)
  const call = async () => {
    const before = gateway.accessLog.length
    const response = await request()
    const text = await response.text()
    if (!response.ok) throw new Error(`The call of ${name} is answered ${response.status}: ${text}`)
    if (name !== 'admin-accounts') await gateway.logged(before + 1)
  }
  await call()
  const opened = opening.move()
  return { call, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function native(dialect: string): AccountConfig {
  const apiKey = 'sandbox-key-a'
  return { id: 'a', provider: 'sandbox', apiKey, models: ['sandbox/*'], speaks: [dialect] }
}

function chat(more: object): Prepare {
  const messages = [{ role: 'user', content: 'Hello' }]
  return (gateway) => () =>
    post(gateway, '/v1/chat/completions', { model: 'sandbox/echo', messages, ...more })
}

async function chained(gateway: TestGateway) {
  const body = { model: 'sandbox/echo', input: 'Hello' }
  const first = (await (await post(gateway, '/v1/responses', body)).json()) as { id: string }
  return () =>
    post(gateway, '/v1/responses', { ...body, stream: true, previous_response_id: first.id })
}

/** The account never finishes this video, so that each poll asks it. */
function createVideo(gateway: TestGateway) {
  return () => post(gateway, '/v1/videos', { model: 'sandbox/polls=1000', prompt: 'A boat' })
}

async function pollVideo(gateway: TestGateway) {
  const { id } = (await (await createVideo(gateway)()).json()) as { id: string }
  return () => fetch(`${gateway.url}/v1/videos/${id}`, { headers: headersOf(gateway) })
}

function listAccounts({ admin }: TestGateway) {
  const url = `${admin?.url}/graphql`
  const query = '{ accounts(first: 10) { edges { node { id enabled } } } }'
  const authorization = `Bearer ${admin?.tokens.viewer}`
  const headers = { authorization, 'content-type': 'application/json' }
  return () => fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
}

function post(gateway: TestGateway, path: string, body: object): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: headersOf(gateway),
    body: JSON.stringify(body),
  })
}

function headersOf({ key }: TestGateway) {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}
