/** How a provider differs from the others that understand S3's way of signing. */
export interface S3Kind {
  /** The region that is signed where none is configured. Absent: one has to be. */
  readonly region?: string
  /** How its regions are written, which its addresses are made of. Absent: anyhow. */
  readonly regions?: { readonly pattern: RegExp; readonly example: string }
  /** Absent: the operator names it. */
  endpoint?(region: string): string
  /** Whether the bucket stands in the path, or else in the host. */
  readonly pathStyle: boolean
  /** Has the provider refuse to replace an object. */
  readonly onlyNew: Readonly<Record<string, string>>
}

export const s3Kinds = {
  s3: {
    endpoint: (region) => `https://s3.${region}.amazonaws.com`,
    pathStyle: false,
    onlyNew: { 'if-none-match': '*' },
  },
  r2: { region: 'auto', pathStyle: true, onlyNew: { 'if-none-match': '*' } },
  minio: { region: 'us-east-1', pathStyle: true, onlyNew: { 'if-none-match': '*' } },
  gcs: {
    region: 'auto',
    endpoint: () => 'https://storage.googleapis.com',
    pathStyle: true,
    onlyNew: { 'x-goog-if-generation-match': '0' },
  },
  oss: {
    regions: { pattern: /^(?!oss-)[a-z]+-/, example: 'cn-hangzhou' },
    endpoint: (region) => `https://s3.oss-${region}.aliyuncs.com`,
    pathStyle: false,
    onlyNew: { 'x-oss-forbid-overwrite': 'true' },
  },
} as const satisfies Record<string, S3Kind>

export type S3KindName = keyof typeof s3Kinds

export const s3KindNames = Object.keys(s3Kinds) as S3KindName[]
