import { GatewayError } from '../contract/errors.ts'
import type { InlineRemote, UrlField } from '../contract/services.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { Unsupported } from '../generate/unsupported.ts'
import { fetchAll } from './fetch-all.ts'
import { createRemoteFetch } from './fetch.ts'
import {
  type RemotePart,
  inputFeature,
  mapMedia,
  nameUrls,
  remoteParts,
  urlFeature,
} from './media-parts.ts'
import { type RemoteOptions, withDefaults } from './options.ts'

/** Makes the one that all requests of a gateway share. Throws where an option is malformed. */
export function createInlineRemote(options: RemoteOptions = {}): InlineRemote {
  const settings = withDefaults(options)
  const fetch = createRemoteFetch(settings)

  return async (request, lacks, signal) => {
    const wanted = remoteParts(request).filter((part) => mustBeInlined(part, lacks))
    if (wanted.length === 0) return request
    const fieldOf = nameUrls(request)
    const files = [...Map.groupBy(wanted, ({ source }) => source.url)].map(([url, parts]) => ({
      url,
      parts,
      field: fieldOf(parts[0]!),
    }))
    const surplus = files[settings.maxFiles]
    if (surplus) throw tooMany(surplus.field, files.length, settings.maxFiles)
    const inlined = await fetchAll(files, fetch, { settings, fieldOf, client: signal })
    return forgetUrls(mapMedia(request, (part) => inlined.get(part) ?? part))
  }
}

/** Nothing is fetched for an account that could not be shown it either. */
function mustBeInlined({ type }: RemotePart, lacks: Unsupported): boolean {
  return lacks[urlFeature[type]] !== undefined && lacks[inputFeature[type]] === undefined
}

/** A request whose URLs are all gone no longer uses the feature, so nobody needs to support it. */
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
