import type { Settings } from '../configuration/settings.ts'
import { localName } from '../contract/storage.ts'
import { isLoopbackHost } from './addresses.ts'

/** Where clients find the gateway, as far as it knows. */
export function describePublicUrl({ publicUrl, listen }: Settings): string {
  if (publicUrl !== undefined) return publicUrl
  const instead = isLoopbackHost(listen.host)
    ? 'the address that it listens on'
    : 'no URLs are given out'
  return `not set: ${instead}`
}

/** Where large forms wait, in a line. */
export function describeSpool({ spool, limits }: Settings): string {
  return `${spool}, ${limits.spoolBytes} bytes at most`
}

/** Which uploads are taken and where they go, in a line. */
export function describeUploads({ uploads }: Settings): string {
  const { default: usual, maxBytes, types, keepDays, directory } = uploads
  if (usual === undefined) return 'none are taken'
  const kept = keepDays === undefined ? 'kept for ever' : `kept for ${keepDays} days`
  return [
    `to ${usual}`,
    `of ${maxBytes} bytes at most`,
    ...(types ? [`${types.join(',')} alone`] : []),
    ...(directory === undefined ? [] : [kept]),
  ].join(', ')
}

/** Which image models there are, in a line. */
export function describeImageModels({ imageModels }: Settings): string {
  const { legacy, current, later } = imageModels
  return `legacy ${legacy.join(',')}; current ${current}; later ${later.join(',')}`
}

/** A row for each place of each storage, without what it is asked with. */
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
