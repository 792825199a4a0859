/** Remote images and documents of clients, for accounts that take no URL. */
export { createRemoteClient, type RemoteClient } from './client.ts'
export { createRemoteFetch, type RemoteFetch, type RemoteUse } from './fetch.ts'
export type { RemoteFile } from './follow.ts'
export { type AddressGuard, createAddressGuard, type GuardOptions } from './guard.ts'
export { createInlineRemote, type InlineRemote } from './inline.ts'
export type { MediaTypes } from './media-type.ts'
export type { RemoteOptions } from './options.ts'
export type { UrlField } from './url-fields.ts'
