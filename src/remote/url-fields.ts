import type { GenerateRequest } from '../generate/request.ts'
import { type RemotePart, remoteParts, urlFeature } from './media-parts.ts'

/** The client's field that holds an URL. */
export interface UrlField {
  /** As errors refer to it. */
  readonly param: string
  /** As messages name it. */
  readonly label: string
}

/**
 * What the client calls the fields of its URLs. Where a part does not tell, the first of each kind
 * is where the request says; the others are named by the field that holds them all, and counted.
 */
export function nameUrls(request: GenerateRequest): (part: RemotePart) => UrlField {
  const parts = remoteParts(request)
  return (part) => {
    if (part.field !== undefined) return { param: part.field, label: `\`${part.field}\`` }
    const feature = urlFeature[part.type]
    const field = request.fields[feature] ?? feature
    const position = parts.filter(({ type }) => urlFeature[type] === feature).indexOf(part)
    if (position <= 0) return { param: field, label: `\`${field}\`` }
    const [root = field] = /^[^[.]+/.exec(field) ?? []
    return { param: root, label: `\`${root}\` (${feature} number ${position + 1})` }
  }
}
