import { bodyPace } from '../kit/body-limits.ts'
import type { Settings } from '../configuration/settings.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Problem } from '../contract/problems.ts'
import { checkNamesIn } from '../hooks/check-plugins.ts'
import { type LineWriter, createLineWriter } from '../lib/line-writer.ts'
import type { UploadsOptions } from '../storage/uploads.ts'

/** The services of a pipeline that come from settings and options. */
export function servicesOf(
  { imageModels, plugins }: Settings,
  {
    lines = createLineWriter(process.stdout),
    now,
  }: { readonly lines?: LineWriter | undefined; readonly now?: (() => number) | undefined },
) {
  return { lines, imageModels, plugins, ...(now && { now }) }
}

/** The options of uploads that come from settings. */
export function uploadsOf({ uploads, timeouts, limits }: Settings): UploadsOptions {
  return { settings: uploads, pace: bodyPace({ ...timeouts, ...limits }) }
}

/** Plugins of the configuration that have the name of a shipped one. */
export function nameClashes(plugins: readonly GatewayPlugin[], settings: Settings): Problem[] {
  const given = settings.plugins.map((plugin, index) => ({ plugin, path: `plugins[${index}]` }))
  return checkNamesIn(plugins, given)
}
