import { actRoles } from './acts.generated.ts'
import { storeAway } from './client.ts'
import { gatewayNow } from './clock.ts'
import { createStore, useStore } from './store.ts'
import { ApiError } from './errors.ts'
import { pause } from './pause.ts'
import { failureOf, send } from './request.ts'

/** A role of the admin API; each may do what those before it may. */
export type Role = 'viewer' | 'operator' | 'admin'

/** Who is signed in. */
export interface Viewer {
  readonly id: string
  readonly role: Role
  /** When the session ends without an act of its user, by the clock of the page; null: not known. */
  readonly idleAt: number | null
  /** When the page learned that. */
  readonly learnedAt: number
}

/**
 * The session of the page. `unknown`: not asked yet. `away`: the gateway does not say. `locked`: it has ended under an
 * open page.
 */
export type SessionState =
  | { readonly state: 'unknown' }
  | { readonly state: 'away'; readonly message: string }
  | { readonly state: 'out'; readonly oidc: boolean }
  | { readonly state: 'in'; readonly viewer: Viewer }
  | { readonly state: 'locked'; readonly viewer: Viewer; readonly oidc: boolean }

interface SessionAnswer {
  readonly signedIn?: boolean
  readonly oidc?: boolean
  readonly id?: string
  readonly role?: Role
  readonly idleUntil?: string | null
}

const session = createStore<SessionState>({ state: 'unknown' })

/** The session of the page. */
export function useSession(): SessionState {
  return useStore(session)
}

/** Who is signed in. Only for components below the shell, which are there in a session only. */
export function useViewer(): Viewer {
  const now = useStore(session)
  if (now.state === 'in' || now.state === 'locked') return now.viewer
  return { id: '', role: 'viewer', idleAt: null, learnedAt: 0 }
}

const order: readonly Role[] = ['viewer', 'operator', 'admin']

/** Whether the user's role may do what `needed` may. */
export function useMay(needed: Role): boolean {
  return order.indexOf(useViewer().role) >= order.indexOf(needed)
}

/** An act of the admin API. */
export type Act = keyof typeof actRoles

/** Why the user cannot do an act now, for `whyNot` of a button; undefined: the user can. */
export function useWhyNot(act: Act): string | undefined {
  const needed = actRoles[act]
  const isAway = useStore(storeAway)
  if (!useMay(needed)) return `The role ${needed} may do this.`
  return isAway ? 'The store does not answer: nothing can be changed until it is back.' : undefined
}

/** As `useWhyNot`, for a change of something that is of the configuration file or of the store. */
export function useWhyNotChange(
  act: Act,
  managedBy: 'FILE' | 'STORE' | undefined,
): string | undefined {
  const whyNot = useWhyNot(act)
  return managedBy === 'FILE' ? 'It is in the configuration file: change it there.' : whyNot
}

/** What runs before the session ends by its user: it still has the session. */
const beforeSignOut = new Set<() => Promise<unknown>>()

/** Does something before the user signs out, until the returned function is called. */
export function onSignOut(run: () => Promise<unknown>): () => void {
  beforeSignOut.add(run)
  return () => beforeSignOut.delete(run)
}

/** Asks whose session the page has. */
export async function loadSession(): Promise<void> {
  try {
    const response = await send('session', { method: 'GET' })
    if (response.status === 401) return enter({ signedIn: false })
    if (!response.ok) throw await failureOf(response)
    enter((await response.json()) as SessionAnswer)
  } catch (error) {
    const message = error instanceof ApiError ? error.message : String(error)
    if (session.get().state === 'unknown' || session.get().state === 'away')
      session.set({ state: 'away', message })
  }
}

/** Begins a session. Rejects with `ApiError`. */
export async function signIn(token: string): Promise<void> {
  const response = await send('session', { body: { token } })
  if (!response.ok) throw await failureOf(response)
  enter({ signedIn: true, ...((await response.json()) as SessionAnswer) })
}

/** What runs before the end of a session delays it for so long at most, in milliseconds; its end may take so long. */
const longestDelayMs = 3_000
const longestEndMs = 10_000

/** Ends the session, also while something that runs before gets no answer. */
export async function signOut(): Promise<void> {
  try {
    const before = Promise.allSettled([...beforeSignOut].map((run) => run()))
    await Promise.race([before, pause(longestDelayMs)])
    await send('session', { method: 'DELETE', signal: AbortSignal.timeout(longestEndMs) })
  } finally {
    location.reload()
  }
}

/** The session has ended: the page hides what it shows, and keeps its address. */
export function lock(): void {
  const now = session.get()
  if (now.state === 'in') session.set({ state: 'locked', viewer: now.viewer, oidc: false })
  void loadSession()
}

function enter({ signedIn, oidc = false, id, role, idleUntil }: SessionAnswer): void {
  const before = session.get()
  if (signedIn === false || id === undefined || role === undefined) {
    const viewer = before.state === 'in' || before.state === 'locked' ? before.viewer : undefined
    session.set(viewer ? { state: 'locked', viewer, oidc } : { state: 'out', oidc })
    return
  }
  // What one user has open is not for another, who has signed in beside this page.
  if ((before.state === 'in' || before.state === 'locked') && before.viewer.id !== id)
    return location.reload()
  const idleAt = idleUntil ? performance.now() + Date.parse(idleUntil) - gatewayNow() : null
  session.set({ state: 'in', viewer: { id, role, idleAt, learnedAt: performance.now() } })
}
