import type { PublicUrl } from '../../../src/public-url.ts'

/**
 * The URI of a file, or of its content. `https` whatever the gateway itself is asked with: Google's
 * SDKs take the file's name out of such URIs alone, and ask their own base URL for it. Throws
 * `GatewayError` 500 as `PublicUrl` does.
 */
export function uriOf(file: string, publicUrl: PublicUrl): string {
  return publicUrl.of(`/v1beta/files/${file}`).replace(/^http:/, 'https:')
}

export function contentUriOf(file: string, publicUrl: PublicUrl): string {
  return `${uriOf(file, publicUrl)}:download?alt=media`
}
