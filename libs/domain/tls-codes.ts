const TLS_CODES = /^(CERT_|DEPTH_ZERO_|EPROTO$|ERR_OSSL_|ERR_SSL_|ERR_TLS_|HOSTNAME_MISMATCH$|INVALID_CA$|SELF_SIGNED_|UNABLE_TO_)/;

/** Whether an error code of Node or OpenSSL means that TLS failed, usually because of an invalid or expired certificate. */
export const isTlsCode = (code: string): boolean => TLS_CODES.test(code);
