import { GatewayError } from '../contract/errors.ts'
import type { InlineRemote, RemoteFetch, UrlField } from '../contract/services.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { type Extra, type FeatureSupport, lackOf } from '../generate/unsupported.ts'
import { fetchAll } from './fetch-all.ts'
import { createRemoteFetch } from './fetch.ts'
import {
  type MediaPart,
  type RemotePart,
  discardRuleOf,
  inputFeature,
  mapMedia,
  urlFieldNames,
  remoteParts,
  urlFeature,
} from './media-parts.ts'
import { type RemoteOptions, withDefaults } from './options.ts'

/**
 * Creates the function that inlines remote media, shared by all requests of a gateway. `fetch` gets the
 * files. Throws `TypeError` for a malformed option.
 */
export function createInlineRemote(
  options: RemoteOptions = {},
  fetch: RemoteFetch = createRemoteFetch(options),
): InlineRemote {
  const settings = withDefaults(options)

  return async (request, support, signal, keyId) => {
    const wanted = remoteParts(request).filter((part) => mustBeInlined(part, support))
    if (wanted.length === 0) return request
    const fieldOf = urlFieldNames(request)
    const files = [...Map.groupBy(wanted, ({ source }) => source.url)].map(([url, parts]) => ({
      url,
      parts,
      field: fieldOf(parts[0]!),
    }))
    const surplus = files[settings.maxFiles]
    if (surplus) throw tooMany(surplus.field, files.length, settings.maxFiles)
    const inlined = await fetchAll(files, fetch, { settings, fieldOf, client: signal, keyId })
    const replaced = mapMedia(request, (part) => (inlined.has(part) ? inlined.get(part) : part))
    return forgetUrls({ ...replaced, extras: [...request.extras, ...discardedParts(inlined)] })
  }
}

/** The losses of the parts that are discarded. */
function discardedParts(inlined: ReadonlyMap<MediaPart, MediaPart | undefined>): Extra[] {
  return [...inlined].flatMap(([part, replacement]) => {
    const rule = replacement ? undefined : discardRuleOf(part)
    return rule ? [{ field: rule.field, treatment: 'warn', reason: rule.reason }] : []
  })
}

/** Whether the account accepts this kind of media, but not by URL. */
function mustBeInlined({ type }: RemotePart, support: FeatureSupport): boolean {
  return !!lackOf(support, urlFeature[type]) && !lackOf(support, inputFeature[type])
}

/** Removes the URL features that the request no longer uses, so that accounts need not support them. */
function forgetUrls(request: GenerateRequest): GenerateRequest {
  const left = new Set(remoteParts(request).map(({ type }) => urlFeature[type]))
  const fields = { ...request.fields }
  for (const feature of Object.values(urlFeature)) if (!left.has(feature)) delete fields[feature]
  return { ...request, fields }
}

function tooMany({ param }: UrlField, count: number, most: number): GatewayError {
  return new GatewayError(
    'invalid_value',
    `The request has ${count} remote files that must be fetched for this model; ${most} are allowed.`,
    { param },
  )
}
