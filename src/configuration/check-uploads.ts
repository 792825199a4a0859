import { isAbsolute, join } from 'node:path'

import type { z } from 'zod'

import { type S3Kind, type S3KindName, s3KindNames, s3Kinds } from '../storage/s3/kinds.ts'
import type { S3Bucket, S3Setting } from '../storage/s3/storage.ts'
import { isStorageName, localName } from '../contract/storage.ts'
import type { UploadsSetting } from '../storage/settings.ts'
import { defined, isObject } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import { checkShape } from './shape.ts'
import { storageSchema, uploadsSchema } from './uploads-schema.ts'

type StorageInput = z.output<typeof storageSchema>

/** Checks the setting `uploads`, applies the defaults and adds problems to `problems`. */
export function checkUploads(
  value: unknown,
  { env, problems, store, directory: startDirectory = '', added = [] }: UploadsContext,
): UploadsSetting {
  const input =
    checkShape(uploadsSchema, value === undefined ? {} : value, 'uploads', problems) ??
    uploadsSchema.parse({})
  const storages = Object.entries(input.storages).flatMap(([name, storage]) => {
    if (!added.includes(name)) return checkStorage(name, storage, env, problems)
    problems.push(takenName(name))
    return []
  })
  const own = directoryOf(input.directory, store, startDirectory)
  const known = [
    ...(own === undefined ? [] : [localName]),
    ...Object.keys(input.storages),
    ...added,
  ]
  if (input.default !== undefined && !known.includes(input.default)) {
    problems.push(unknownDefault(input.default, known))
  }
  return {
    default: input.default ?? known[0],
    maxBytes: input.maxBytes,
    storages,
    ...defined({
      directory: own,
      isLimited: isObject(value) && value.maxBytes !== undefined ? true : undefined,
      keepDays: input.keepDays === false ? undefined : input.keepDays,
      types: input.types,
      secret: input.secret && checkSecret(input.secret, env, problems),
    }),
  }
}

/** The context of `checkUploads`. */
interface UploadsContext {
  readonly env: EnvironmentVariables
  readonly problems: Problem[]
  /** The URL of the store: with a `file:` store, `local` uses a directory within it. */
  readonly store: string
  /** Directory that relative paths start at. Absent: they stay relative. */
  readonly directory?: string
  /** Names of storages that plugins add. */
  readonly added?: readonly string[]
}

/** The default directory of `local`: with a `file:` store, it is within that. */
export function localDirectoryOf(store: string): string {
  const directory = /^file:(.+)$/s.exec(store)?.[1]
  return directory === undefined ? '.dragoman/uploads' : join(directory, 'uploads')
}

function directoryOf(
  directory: string | false | undefined,
  store: string,
  startDirectory: string,
): string | undefined {
  if (directory === undefined) return localDirectoryOf(store)
  if (directory === false) return undefined
  return isAbsolute(directory) ? directory : join(startDirectory, directory)
}

function checkStorage(
  name: string,
  input: StorageInput,
  env: EnvironmentVariables,
  problems: Problem[],
): S3Setting[] {
  const path = `uploads.storages.${name}`
  const isFit = isStorageName(name) && name !== localName
  if (!isFit) problems.push(unfitName(name, path))
  const kind = input.kind ?? s3KindNames.find((known) => known === name)
  if (!kind) problems.push(unknownKind(path))
  const buckets = kind ? bucketsOf(input, kind, path, problems) : []
  const secretOf = (field: 'accessKeyId' | 'secretAccessKey' | 'sessionToken') =>
    input[field] && resolveSecret(input[field], `${path}.${field}`, env, problems)
  const [accessKeyId, secretAccessKey] = [secretOf('accessKeyId'), secretOf('secretAccessKey')]
  const sessionToken = secretOf('sessionToken')
  if (!isFit || !kind || !accessKeyId || !secretAccessKey) return []
  const { prefix = '', pathStyle, overwrite } = input
  return [
    {
      name,
      kind,
      prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
      buckets,
      accessKeyId,
      secretAccessKey,
      ...defined({ sessionToken, pathStyle, overwrite }),
    },
  ]
}

/** The buckets of a storage. The first one serves requests that name no region. */
function bucketsOf(
  { bucket, region, endpoint, regions }: StorageInput,
  kind: S3KindName,
  path: string,
  problems: Problem[],
): S3Bucket[] {
  const rule: S3Kind = s3Kinds[kind]
  const own = region ?? rule.region
  if (own === undefined) problems.push(missing(`${path}.region`, 'the region of the bucket'))
  const listed = [
    {
      region: own ?? '',
      bucket,
      endpoint,
      endpointPath: `${path}.endpoint`,
      regionPath: `${path}.region`,
    },
    ...Object.entries(regions).map(([name, further]) => ({
      region: name,
      endpointPath: `${path}.regions.${name}.endpoint`,
      regionPath: `${path}.regions.${name}`,
      bucket: further.bucket,
      endpoint: further.endpoint ?? (rule.endpoint ? undefined : endpoint),
    })),
  ]
  const names = new Set(listed.map((each) => each.bucket))
  const regionNames = new Set(listed.map((each) => each.region))
  if (names.size < listed.length || regionNames.size < listed.length) problems.push(repeated(path))
  return listed.map((each) => {
    const isKnown = each.endpoint !== undefined || each.region === ''
    if (rule.regions && !isKnown && !rule.regions.pattern.test(each.region)) {
      problems.push(noRegion(each, kind, rule.regions.example))
    }
    const address = each.endpoint ?? rule.endpoint?.(each.region)
    if (address === undefined)
      problems.push(missing(each.endpointPath, 'the address of the provider'))
    return { region: each.region, bucket: each.bucket, endpoint: address ?? '' }
  })
}

/** A shorter secret could be guessed, and with it the signatures of URLs. Characters. */
const shortestSecret = 16

function checkSecret(
  setting: string,
  env: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  const secret = resolveSecret(setting, 'uploads.secret', env, problems)
  if (secret === undefined || secret.length >= shortestSecret) return secret
  problems.push({
    path: 'uploads.secret',
    message: `has fewer than ${shortestSecret} characters`,
    fix: 'take one from `openssl rand -base64 32`, or remove it: the gateway generates one',
  })
  return undefined
}

function unknownDefault(name: string, known: readonly string[]): Problem {
  return {
    path: 'uploads.default',
    message: `the storage "${name}" does not exist`,
    fix: known.length === 0 ? 'add it to uploads.storages' : `use one of ${known.join(', ')}`,
  }
}

function takenName(name: string): Problem {
  return {
    path: `uploads.storages.${name}`,
    message: `a plugin also has a storage named "${name}"`,
    fix: 'give it another name, and set its kind',
  }
}

function unfitName(name: string, path: string): Problem {
  return {
    path,
    message: `"${name}" is not a valid name for a storage`,
    fix: 'use lower-case letters, digits and hyphens, but not local or the name of a URL scheme',
  }
}

function unknownKind(path: string): Problem {
  return {
    path: `${path}.kind`,
    message: 'is missing: the name of the storage is not a kind',
    fix: `add kind: one of ${s3KindNames.join(', ')}`,
  }
}

function missing(path: string, noun: string): Problem {
  return { path, message: `is missing: ${noun}`, fix: `add ${path.split('.').at(-1)}` }
}

function noRegion(
  { region, regionPath }: { region: string; regionPath: string },
  kind: S3KindName,
  example: string,
): Problem {
  const message = `${kind} has no region "${region}"`
  return { path: regionPath, message, fix: `use a region such as ${example}, or add its endpoint` }
}

function repeated(path: string): Problem {
  return {
    path: `${path}.regions`,
    message: 'names a region or a bucket twice',
    fix: 'give each region a bucket with its own name: paths identify the region by its bucket',
  }
}
