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
 * Decodes the body. docs/wire/contract.md does not name the field of the region, so both `region` and
 * `storage_region` are accepted. Throws `GatewayError` 400.
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

const fieldNames = new Map(known.map((name) => [normalize(name), name]))

/**
 * Throws `GatewayError` 400 for misspelt fields such as `contentType`, which would have no effect.
 */
function checkSpelling(json: Json): void {
  for (const name of Object.keys(json)) {
    const fieldName = fieldNames.get(normalize(name))
    if (fieldName === undefined || fieldName === name || !isPresent(json, name)) continue
    const message = `\`${name}\` is not a known field: use \`${fieldName}\`.`
    throw new GatewayError('invalid_value', message, { param: name })
  }
}

/** Returns the same string for all spellings of a name. */
function normalize(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase()
}

function regionOf(json: Json): string | undefined {
  const [region, other] = [text(json, 'region'), text(json, 'storage_region')]
  if (region === undefined || other === undefined || region === other) return region ?? other
  throw new GatewayError('invalid_value', '`region` and `storage_region` name different regions.', {
    param: 'storage_region',
  })
}

/** Returns a text field; an empty string counts as absent. */
function text(json: Json, name: string): string | undefined {
  return (json[name] as string | null | undefined) || undefined
}
