import type { ConfigurationInUse } from '../../configuration/in-use.ts'
import { type ConfigurationState, bounded } from './record.ts'

/** Problems of a configuration in a heartbeat. */
const mostProblems = 20

/** Tells others which configuration is in use. Its hash is made once, since that takes a while. */
export function stateOf(inUse: ConfigurationInUse): () => ConfigurationState {
  let hash: { readonly at: number; readonly text: string } | undefined
  return () => {
    const { loadedAt, problems } = inUse
    if (hash?.at !== loadedAt) hash = { at: loadedAt, text: inUse.hash() }
    const shown = problems.slice(0, mostProblems).map(({ path, message, fix }) => ({
      path: bounded(path),
      message: bounded(message),
      fix: bounded(fix),
    }))
    return { hash: hash.text, loadedAt, problems: shown }
  }
}
