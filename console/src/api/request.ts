import { adminUrl } from './base.ts'
import { noteClock } from './clock.ts'
import { type ApiError, awayError, errorOf } from './errors.ts'

/** When the user last touched the page, and when a request last said so, by the clock of the page. */
const activity = { inputAt: 0, toldAt: -Infinity }

for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  addEventListener(event, () => void (activity.inputAt = performance.now()), {
    capture: true,
    passive: true,
  })
}

/** Whether the user has done something that no request has said yet. */
export function hasNewActivity(): boolean {
  return activity.inputAt >= activity.toldAt
}

/** When a request last said that the user is there, by the clock of the page. */
export function toldActivityAt(): number {
  return activity.toldAt
}

/**
 * Sends a request of the session. A request that follows no act of the user says so: it does not keep the session
 * alive. Rejects with `ApiError` if nothing answers.
 */
export async function send(
  path: string,
  { method = 'POST', body, accept = 'application/json', signal, keepalive }: SendOptions = {},
): Promise<Response> {
  // A stream never keeps a session alive, so it does not speak for the user.
  const isActive = accept !== 'text/event-stream' && hasNewActivity()
  if (isActive) activity.toldAt = performance.now()
  try {
    const response = await fetch(adminUrl(path), {
      method,
      cache: 'no-store',
      headers: {
        accept,
        'x-dragoman-console': '1',
        ...(!isActive && { 'x-dragoman-background': '1' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    })
    noteClock(response)
    return response
  } catch (error) {
    if (signal?.aborted) throw error
    throw awayError()
  }
}

/** How a request is sent. */
export interface SendOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly accept?: string
  readonly signal?: AbortSignal
  /** Whether it goes on when the page is left. */
  readonly keepalive?: boolean
}

/** Reads the error of a response that is no answer. */
export async function failureOf(response: Response): Promise<ApiError> {
  const retryAfterMs =
    Number(response.headers.get('retry-after-ms')) ||
    Number(response.headers.get('retry-after') ?? 0) * 1_000
  try {
    const body = (await response.json()) as GraphQLFailure
    const first = body.errors?.[0]
    if (first)
      return errorOf(first.extensions?.code ?? '', first.message, response.status, retryAfterMs)
  } catch {
    // A proxy may answer with a page.
  }
  return errorOf('', `The gateway answered ${response.status}.`, response.status, retryAfterMs)
}

interface GraphQLFailure {
  readonly errors?: readonly { message: string; extensions?: { code?: string } }[]
}
