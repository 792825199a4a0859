import type { RunningCaptures } from '../capture/index.ts'
import type { Settings } from '../configuration/settings.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../stores/store.ts'

/** The surroundings of captures. */
interface Surroundings {
  readonly store: Store
  readonly log: Log
  readonly now?: (() => number) | undefined
}

/** Follows captures where the configuration permits them. A gateway without them loads none of it. */
export async function openCapturesOf(
  { capture }: Settings,
  surroundings: Surroundings,
): Promise<RunningCaptures | undefined> {
  if (!capture) return undefined
  const { openCaptures } = await import('../capture/index.ts')
  return openCaptures({ setting: capture, ...surroundings })
}
