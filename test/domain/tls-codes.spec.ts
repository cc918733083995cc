import { isTlsCode } from '@lib/domain/tls-codes';

it.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EPROTO',
  'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s says that TLS failed', (code) => {
  expect(isTlsCode(code)).toBe(true);
});

it.each(['', 'ECONNREFUSED', 'EPROTONOSUPPORT', 'ERR_INVALID_CERT_', 'TLS'])('%s does not', (code) => {
  expect(isTlsCode(code)).toBe(false);
});
