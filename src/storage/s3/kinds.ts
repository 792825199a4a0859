/** The specifics of a provider among those with the S3 signature. */
export interface S3Kind {
  /** The default region to sign with. Absent: the configuration must name a region. */
  readonly region?: string
  /** The form of its region names, which are part of its endpoints. Absent: any. */
  readonly regions?: { readonly pattern: RegExp; readonly example: string }
  /** The URL of a region. Absent: the configuration must name it. */
  endpoint?(region: string): string
  /** Whether the bucket is part of the path; otherwise it is part of the host. */
  readonly pathStyle: boolean
  /** The headers by which the provider refuses to replace an object. */
  readonly createOnlyHeaders: Readonly<Record<string, string>>
}

/** The supported S3 providers. */
export const s3Kinds = {
  s3: {
    endpoint: (region) => `https://s3.${region}.amazonaws.com`,
    pathStyle: false,
    createOnlyHeaders: { 'if-none-match': '*' },
  },
  r2: { region: 'auto', pathStyle: true, createOnlyHeaders: { 'if-none-match': '*' } },
  minio: { region: 'us-east-1', pathStyle: true, createOnlyHeaders: { 'if-none-match': '*' } },
  gcs: {
    region: 'auto',
    endpoint: () => 'https://storage.googleapis.com',
    pathStyle: true,
    createOnlyHeaders: { 'x-goog-if-generation-match': '0' },
  },
  oss: {
    regions: { pattern: /^(?!oss-)[a-z]+-/, example: 'cn-hangzhou' },
    endpoint: (region) => `https://s3.oss-${region}.aliyuncs.com`,
    pathStyle: false,
    createOnlyHeaders: { 'x-oss-forbid-overwrite': 'true' },
  },
} as const satisfies Record<string, S3Kind>

/** The name of a supported S3 provider. */
export type S3KindName = keyof typeof s3Kinds

/** The names of all supported S3 providers. */
export const s3KindNames = Object.keys(s3Kinds) as S3KindName[]
