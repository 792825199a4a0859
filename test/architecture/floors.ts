/**
 * The floors of the tree, the lowest first. A file imports from its own folder and from lower
 * floors; folders of one floor do not know each other. `ARCHITECTURE.md` draws them.
 */
export const floors: readonly (readonly string[])[] = [
  ['src/lib'],
  ['src/generate', 'src/media'],
  ['src/contract'],
  ['src/kit', 'src/stores'],
  ['src/accounts', 'src/exchange', 'src/remote'],
  ['src/body', 'src/hooks', 'src/limits', 'src/storage'],
  ['src/upstream', 'src/route', 'src/file-references'],
  ['src/translate', 'src/http'],
  ['src/attempt', 'src/capture', 'src/history', 'src/jobs', 'src/rewrite', 'src/telemetry'],
  ['src/gateway.ts'],
  ['src/configuration'],
  ['src/runtime', 'src/audit'],
  ['src/admin'],
  ['src/index.ts', 'src/dialect-kit', 'plugins/dialects/shared'],
  ['plugins'],
  ['config'],
  ['src/cli', 'src/testing'],
]

/** Stands apart: it shares no code with the gateway, and only these folders start it. */
export const sandbox = { folder: 'src/sandbox', users: ['src/cli', 'src/testing'] }

export interface Place {
  /** The entry of `floors`, or the plugin or dialect on that floor. */
  readonly room: string
  readonly floor: number
}

/** Where a file stands; `undefined` for one that no floor has. */
export function placeOf(path: string): Place | undefined {
  const inside = (room: string) => path === room || path.startsWith(`${room}/`)
  const floor = floors.findIndex((rooms) => rooms.some(inside))
  if (floor === -1) return undefined
  const room = floors[floor]!.find(inside)!
  return { floor, room: room === 'plugins' ? pluginOf(path) : room }
}

/** `plugins/health.ts`, `plugins/affinity`, `plugins/dialects/chat`: each is a room of its own. */
function pluginOf(path: string): string {
  const depth = path.startsWith('plugins/dialects/') ? 3 : 2
  return path.split('/').slice(0, depth).join('/')
}
