import type { Settings } from '../configuration/settings.ts'
import { localName } from '../contract/storage.ts'
import { isLoopbackHost } from '../lib/hosts.ts'

/** The `publicUrl` in one line, or what applies without one. */
export function describePublicUrl({ publicUrl, listen }: Settings): string {
  if (publicUrl !== undefined) return publicUrl
  const fallback = isLoopbackHost(listen.host)
    ? 'the listen address is used'
    : 'the gateway issues no URLs'
  return `not set: ${fallback}`
}

/** The spool directory and its size limit, in one line. */
export function describeSpool({ spool, limits }: Settings): string {
  return `${spool}, ${limits.spoolBytes} bytes at most`
}

/** The limits and the default storage of uploads, in one line. */
export function describeUploads({ uploads }: Settings): string {
  const { default: usual, maxBytes, types, keepDays, directory } = uploads
  if (usual === undefined) return 'not accepted'
  const retention = keepDays === undefined ? 'never deleted' : `deleted after ${keepDays} days`
  return [
    `to ${usual}`,
    `of ${maxBytes} bytes at most`,
    ...(types ? [`only ${types.join(',')}`] : []),
    ...(directory === undefined ? [] : [retention]),
  ].join(', ')
}

/** The image models, in one line. */
export function describeImageModels({ imageModels }: Settings): string {
  const { legacy, current, later } = imageModels
  return `legacy ${legacy.join(',')}; current ${current}; later ${later.join(',')}`
}

/** One row for each location of each storage, without credentials. */
export function storageRows({ uploads, plugins }: Settings): string[][] {
  const { directory, storages } = uploads
  const rows = [
    ...(directory === undefined ? [] : [[localName, 'directory', directory]]),
    ...storages.flatMap(({ name, kind, prefix, buckets }) =>
      buckets.map(({ bucket, endpoint, region }) => {
        const place = prefix === '' ? bucket : `${bucket}/${prefix}`
        return [name, kind, `${place} at ${endpoint} (${region})`]
      }),
    ),
    ...plugins.flatMap((plugin) =>
      (plugin.storages ?? []).flatMap(({ name, places }) =>
        places.map(({ region }) => [name, 'plugin', region === undefined ? '' : `(${region})`]),
      ),
    ),
  ]
  return rows.length === 0 ? [] : [['NAME', 'KIND', 'PLACE'], ...rows]
}
