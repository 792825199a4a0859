import { GatewayError } from '../../../src/contract/errors.ts'
import {
  checkBoolean,
  checkInteger,
  checkString,
  isPresent,
  requireString,
} from '../../../src/kit/checks.ts'
import type { UploadRequest } from '../../../src/storage/issue.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * What a body asks for. The contract does not name the field of the region, so both spellings that
 * it suggests are understood: `region`, and `storage_region` beside `storage_provider`. Throws
 * `GatewayError` 400.
 */
export function readUploadRequest(json: Json): UploadRequest {
  checkSpelling(json)
  const path = requireString(json, 'path')
  for (const name of ['storage_provider', 'region', 'storage_region', 'content_type']) {
    checkString(json, name)
  }
  checkInteger(json, 'size', 0)
  checkBoolean(json, 'overwrite')
  return {
    path,
    provider: text(json, 'storage_provider'),
    region: regionOf(json),
    type: text(json, 'content_type'),
    size: isPresent(json, 'size') ? (json['size'] as number) : undefined,
    overwrite: json['overwrite'] === true,
  }
}

const known = [
  'path',
  'storage_provider',
  'region',
  'storage_region',
  'content_type',
  'size',
  'overwrite',
]

const bySound = new Map(known.map((name) => [soundOf(name), name]))

/** Who writes `contentType` is not to find later that it meant nothing. */
function checkSpelling(json: Json): void {
  for (const name of Object.keys(json)) {
    const meant = bySound.get(soundOf(name))
    if (meant === undefined || meant === name || !isPresent(json, name)) continue
    const message = `\`${name}\` is not known here: write \`${meant}\`.`
    throw new GatewayError('invalid_value', message, { param: name })
  }
}

/** The same for all spellings of a name. */
function soundOf(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase()
}

function regionOf(json: Json): string | undefined {
  const [region, other] = [text(json, 'region'), text(json, 'storage_region')]
  if (region === undefined || other === undefined || region === other) return region ?? other
  throw new GatewayError('invalid_value', '`region` and `storage_region` name two regions.', {
    param: 'storage_region',
  })
}

/** An empty one says as little as none. */
function text(json: Json, name: string): string | undefined {
  return (json[name] as string | null | undefined) || undefined
}
