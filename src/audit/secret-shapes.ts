// Keys and tokens that are known by how they look: the prefixes that their issuers document, with the length that they have at least.

/** One alternative each. A word character in front means that it is a part of something else. */
const SHAPES: readonly string[] = [
  'gh[pousr]_\\w{36,255}', // GitHub
  'github_pat_\\w{22,255}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|agent|soat|imt|oas|ffct)-[\\w.-]{20,300}', // GitLab
  'A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}', // AWS
  'ABSK[A-Za-z0-9+/]{60,200}={0,2}',
  'xox[abceoprs](?:\\.xox[bp])?-[\\w-]{10,300}', // Slack
  'xapp-\\d-[\\w-]{10,300}',
  'AIza[\\w-]{35}', // Google
  'ya29\\.[\\w-]{20,2000}',
  'GOCSPX-[\\w-]{28}',
  'eyJ[\\w-]{8,8000}(?:\\.[\\w-]{0,8000}){2,4}', // JSON Web Tokens, signed and encrypted
  '(?:sk|rk|pk)_(?:live|test|prod)_\\w{10,200}', // Stripe
  'whsec_[\\w+/=]{20,200}',
  'sk-[\\w-]{20,300}', // OpenAI, Anthropic and those who followed them
  '(?:gsk_|xai-|pplx-|r8_|hf_|sbp_|nvapi-|figd_|ntn_|napi_|lin_api_|lin_oauth_|key-)[\\w-]{30,200}',
  'npm_\\w{36}',
  'pypi-[\\w-]{50,500}',
  'rubygems_[0-9a-f]{48}',
  'cio[A-Za-z0-9]{32}', // crates.io
  'dckr_(?:pat|oat)_[\\w-]{20,100}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}', // SendGrid
  'SK[0-9a-f]{32}', // Twilio
  '[0-9a-f]{32}-us\\d{1,2}', // Mailchimp
  'do[oprt]_v1_[0-9a-f]{64}', // DigitalOcean
  'dapi[0-9a-f]{32}(?:-\\d)?', // Databricks
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}', // Shopify
  'sq0(?:atp|csp|idp)-[\\w-]{22,43}', // Square
  'secret_\\w{43}', // Notion
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}', // Postman
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}', // Doppler
  'hv[sbr]\\.[\\w-]{24,300}', // Vault
  '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}', // Terraform
  'ops_eyJ[\\w=-]{100,2000}', // 1Password
  'AGE-SECRET-KEY-1[0-9A-Z]{58}',
  'gl(?:sa|c)_[\\w=+/]{32,400}', // Grafana
  'NR(?:AK|JS)-[\\w]{19,40}', // New Relic
  'sntry[su]_[\\w=+/-]{40,400}', // Sentry
  'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}', // PlanetScale
  'tskey-[a-z]{3,10}-[\\w-]{15,100}', // Tailscale
  'ATATT3[\\w=-]{20,300}', // Atlassian
  'ATBB\\w{24,60}',
  'pul-[0-9a-f]{40}', // Pulumi
  'HRKU-[\\w-]{36,70}', // Heroku
  '(?:FlyV1 )?fm[12][a-z]?_[\\w+/=,-]{40,2000}', // Fly
  '\\d{8,10}:AA[\\w-]{33}', // Telegram
  '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}', // Discord
  'CFPAT-[\\w-]{43}', // Contentful
  'EAA[A-Za-z0-9]{60,300}', // Meta
];

/** Any of them, as a whole. */
export const TOKEN = new RegExp(`(?<!\\w)(?:${SHAPES.join('|')})`, 'g');

/** A private key in PEM, with its lines as they are or as `\n`; without its end it goes on to the end of the text. */
export const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

/** Addresses that whoever knows them may post to. What is secret comes after them. */
export const SECRET_ADDRESS = /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)/g;
