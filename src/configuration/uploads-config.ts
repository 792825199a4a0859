/** Where uploads go. */
export interface UploadsConfig {
  /** Storage for requests that name none. Default: `local`, without it the first of `storages`. */
  default?: string
  /**
   * Directory of the gateway's own storage, `local`; false removes this storage. Default: `uploads` in
   * the directory of a `file:` store, otherwise `.dragoman/uploads`. Replicas must share it.
   */
  directory?: string | false
  /**
   * Largest file. Default: 512 MiB. If it is set, requests for a bucket must announce the `size`,
   * since the gateway does not see those bytes.
   */
  maxBytes?: number
  /**
   * After so many days `local` deletes a file; false keeps files. Default: 30. Buckets have their own
   * lifecycle rules.
   */
  keepDays?: number | false
  /** Accepted media types and families (`image/*`). Default: all types. */
  types?: string[]
  /** Signs the URLs of `local`; `env:NAME` or `file:/path`. Default: generated, and saved in the store. */
  secret?: string
  /** Storages of the S3 family, by the name that requests and paths use for them. */
  storages?: Record<string, StorageConfig>
}

/** A storage of the S3 family. */
export interface StorageConfig {
  /** Default: the name of the storage, if that is a kind. */
  kind?: 's3' | 'r2' | 'minio' | 'gcs' | 'oss'
  bucket: string
  /** Default: `auto` for r2 and gcs, `us-east-1` for minio. */
  region?: string
  /** Scheme, host and port. r2 and minio require it. */
  endpoint?: string
  /** Further regions that a request may name, each with a bucket of its own name. */
  regions?: Record<string, { bucket: string; endpoint?: string }>
  /** `env:NAME` reads a credential from the environment, `file:/path` from a file. For gcs: an HMAC key. */
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** Prefix of every key in the bucket: `uploads/`. */
  prefix?: string
  /** Whether the bucket is in the path of URLs. Default: for r2, minio, gcs and names with a dot. */
  pathStyle?: boolean
  /** Lets every URL replace files, for clients that do not send the descriptor's `headers`. */
  overwrite?: boolean
}
